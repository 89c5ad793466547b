import type { VocabularyEntry } from '../vocabulary/entry.ts';
import { CONFIDENT, type Mapping, type Reading } from './mapping.ts';

/** What somebody outside may choose from. */
export type Choice = Pick<VocabularyEntry, 'key' | 'name' | 'description'>;

interface Plausible {
  readonly reading: Reading;
  readonly entry: VocabularyEntry;
}

/**
 * A mapping with the reading that was chosen elsewhere, where it is one of those that the words admit. Whatever else the
 * text says changes nothing.
 * @param text from outside: JSON `{"choice": "repo:push"}`
 */
export function chosen(byWords: Mapping, plausible: readonly Plausible[], text: string): Mapping {
  const key = choiceIn(text);
  const found = plausible.find(({ entry }) => entry.key === key);
  if (byWords.isMapped || found === undefined) return byWords;
  const { reason: _, ...read } = byWords;
  return { ...read, isMapped: true, readings: [found.reading], confidence: CONFIDENT };
}

function choiceIn(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !Object.hasOwn(parsed, 'choice')) return undefined;
    const { choice } = parsed as { choice: unknown };
    return typeof choice === 'string' ? choice : undefined;
  } catch {
    return undefined;
  }
}
