import { stemmer } from 'stemmer';

/** Words of the frame of a question, and those that every text has: they say nothing of what is asked about. */
const stopWords = new Set(
  (
    'a an the this that these those it its i me my mine myself we us our ours you your he she they them their his her ' +
    'am is are was were be been being do does did done has have had having can could may might must shall should will ' +
    'would not no yes to of in on at for from by with into onto about as if whether or and so than then there here ' +
    'please tell know say let want need needs needed like able allowed permitted permission permissions authorised ' +
    'authorized entitled eligible possible ok okay fine legal right rights scope scopes required requires necessary ' +
    'which what who whom something somebody someone anybody anyone person people one ones any some such just really ' +
    'still also even now today tonight tomorrow currently already ever again very too yet via per only own'
  ).split(' '),
);

/** Words that add little: they count where they hit, and hardly where they do not. */
const weakWords = new Set(
  (
    'new other another last next old good whole all every each up off out down over back away home somebody ' +
    'through between after before during while it thing things place access data do make get give put set take'
  ).split(' '),
);

/** One word of a text, as an index knows it. */
export interface Word {
  /** As it was written. */
  readonly text: string;
  /** Lower case, without accents and endings (Porter's algorithm). */
  readonly stem: string;
  readonly isWeak: boolean;
}

/** A word may have hyphens, dots and underscores inside, which ids have. */
const wordPattern = /[\p{L}\p{N}]+(?:[-_.'][\p{L}\p{N}]+)*/gu;
const partPattern = /[\p{L}\p{N}]+/gu;

export function plainWord(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

export function stemOf(word: string): string {
  return stemmer(plainWord(word));
}

export function isStopWord(word: string): boolean {
  return stopWords.has(plainWord(word));
}

/** Words in the order of the text, compounds whole: `main-street`. */
export function rawWords(text: string): string[] {
  return text.match(wordPattern) ?? [];
}

/** The words that say something, compounds taken apart. `camelCase` is two words, too. */
export function contentWords(text: string): Word[] {
  const words: Word[] = [];
  const plain = text.replace(/'s\b/gu, '').replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  for (const part of plain.match(partPattern) ?? []) {
    if (isStopWord(part) || (part.length === 1 && !/\p{N}/u.test(part))) continue;
    words.push({ text: part, stem: stemOf(part), isWeak: weakWords.has(plainWord(part)) });
  }
  return words;
}
