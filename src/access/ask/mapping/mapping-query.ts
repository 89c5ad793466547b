import type { QueryHandler, QueryTask } from '../../../kernel/queries/index.ts';
import type { NamedObject } from '../question/objects.ts';
import type { VocabularyEntry } from '../vocabulary/collect-entries.ts';
import { Vocabularies } from '../vocabulary/vocabularies.ts';
import { mapQuestion, plausibleReadings } from './map-question.ts';
import { CONFIDENT, type Mapping } from './mapping.ts';

/** What somebody outside may choose from. */
export type Choice = Pick<VocabularyEntry, 'key' | 'name' | 'description'>;

/** A question to be mapped. Making a vocabulary can take longer than a request should hold up others. */
export interface MappingTask extends QueryTask {
  readonly kind: 'ask_map';
  readonly question: string;
  readonly resource?: NamedObject | undefined;
  readonly isAboutSubject: boolean;
  /** Whether somebody else is to choose where the words do not decide. */
  readonly wantsChoices: boolean;
  /** What they answered: text from outside. */
  readonly choice?: string | undefined;
}

export interface MappingAnswer {
  readonly mapping: Mapping;
  /** Of the permissions in the readings: what people call them. */
  readonly names: Readonly<Record<string, string>>;
  /** Only where they are wanted, and there are two or more. */
  readonly choices?: readonly Choice[];
}

/** How the query pool maps questions. */
export function mappingQueries(): QueryHandler[] {
  const vocabularies = new Vocabularies();
  const handler: QueryHandler<MappingTask> = {
    kind: 'ask_map',
    permission: undefined,
    answer({ organization: { store } }, task): MappingAnswer {
      const vocabulary = vocabularies.of(store);
      const byWords = mapQuestion(vocabulary, task);
      const isOpen = !byWords.isMapped && (byWords.reason === 'unknown' || byWords.reason === 'ambiguous');
      const wanted = isOpen && (task.wantsChoices || task.choice !== undefined);
      const plausible = wanted ? plausibleReadings(vocabulary, task) : [];
      const mapping = task.choice === undefined ? byWords : chosen(byWords, plausible, task.choice);
      const names: Record<string, string> = {};
      for (const reading of mapping.readings) {
        if (reading.kind === 'permission')
          names[reading.permission] = vocabulary.permission(reading.permission)?.name ?? '';
      }
      return {
        mapping,
        names,
        ...(task.wantsChoices && plausible.length > 0
          ? { choices: plausible.map(({ entry: { key, name, description } }) => ({ key, name, description })) }
          : {}),
      };
    },
  };
  return [handler as QueryHandler];
}

/**
 * A mapping with the reading that was chosen elsewhere, where it is one of those that the words admit. Whatever else the
 * text says changes nothing.
 * @param text from outside: JSON `{"choice": "repo:push"}`
 */
function chosen(byWords: Mapping, plausible: ReturnType<typeof plausibleReadings>, text: string): Mapping {
  const key = choiceIn(text);
  const found = plausible.find(({ entry }) => entry.key === key);
  if (byWords.isMapped || found === undefined) return byWords;
  const { reason: _, ...read } = byWords;
  return { ...read, isMapped: true, readings: [found.reading], confidence: CONFIDENT };
}

function choiceIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly choice?: unknown }).choice;
  } catch {
    // neither is `null`, which has no members
    return undefined;
  }
}
