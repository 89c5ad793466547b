export { ask } from './ask.ts';
export { askBody } from './ask-body.ts';
export type { AskDependencies } from './dependencies.ts';
export { LanguageModels } from './endpoint/language-models.ts';
export { askModule } from './module.ts';
