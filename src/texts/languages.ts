import type { Catalogue } from './catalogue.ts';
import * as german from './de/index.ts';
import * as english from './en/index.ts';

/** Translations have every text that English has. */
const inGerman: Catalogue = german;

/** The languages that people are spoken to in. Another one is a folder such as `de/`, and two lines here. */
export const languages = { en: english, de: inGerman } as const;

export type Language = keyof typeof languages;

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text);
}
