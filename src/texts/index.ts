export type { PlainKey } from './catalogue.ts';
export { languages } from './languages.ts';
export { type Said, said } from './said.ts';
export { type Texts, textsFor } from './texts.ts';
