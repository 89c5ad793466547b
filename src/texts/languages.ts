import type { Catalogue } from './catalogue.ts';
import { german } from './de/index.ts';
import { english } from './en/index.ts';

/** The languages that people are spoken to in. Another one is a folder such as `de/`, and a line here. */
export const languages = { en: english, de: german } as const satisfies Readonly<Record<string, Catalogue>>;

export type Language = keyof typeof languages;

export function isLanguage(text: string): text is Language {
  return Object.hasOwn(languages, text);
}
