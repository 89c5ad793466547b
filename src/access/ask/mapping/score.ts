import type { Word } from '../question/words.ts';
import { fitOf, type IndexedEntry, type Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Features } from './confidence.ts';

export interface Scored extends Pick<Features, 'coverage' | 'noun'> {
  readonly found: IndexedEntry;
  /** How well the verb fits. */
  readonly action: number;
  readonly score: number;
}

/** What the verb and the thing add to the words that fit anywhere. */
const PART = 0.15;
/** Of two that fit alike, an organization's own goes first. */
const SYSTEM = 0.05;

/** The entries that fit some words, best first. With a type, only those that are about its objects. */
export function scoreWords(vocabulary: Vocabulary, words: readonly Word[], type: string | undefined): Scored[] {
  const candidates =
    type === undefined
      ? vocabulary.find(words).filter(({ found }) => found.entry.kind !== 'relation')
      : vocabulary.ofType(type).map((found) => ({ found, rank: 0 }));
  const best = candidates.reduce((most, { rank }) => Math.max(most, rank), 0);
  return candidates
    .map(({ found, rank }) => scored(vocabulary, words, found, { type, rank: best === 0 ? 0 : rank / best }))
    .sort((one, other) => other.score - one.score);
}

function scored(
  vocabulary: Vocabulary,
  words: readonly Word[],
  found: IndexedEntry,
  { type, rank }: { readonly type: string | undefined; readonly rank: number },
): Scored {
  let fits = 0;
  let all = 0;
  let action = 0;
  let noun = type === undefined ? 0 : 1;
  for (const word of words) {
    const weight = vocabulary.weightOf(word);
    all += weight;
    fits += weight * fitOf(word, found);
    action = Math.max(action, fitOf(word, found, 'action'));
    noun = Math.max(noun, fitOf(word, found, 'noun'));
  }
  const coverage = all === 0 ? 0 : fits / all;
  const score = coverage + PART * (action + noun) + 0.02 * rank - (found.entry.isSystem ? SYSTEM : 0);
  return { found, coverage, action, noun, score };
}
