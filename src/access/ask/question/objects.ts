import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { synonymsOf } from './synonyms.ts';
import { contentWords, isStopWord, rawWords, stemOf } from './words.ts';

/** An object of the model, as `repo:website`. */
export interface NamedObject {
  readonly type: string;
  readonly id: string;
}

export interface FoundNames {
  readonly objects: readonly NamedObject[];
  /** Slugs of permissions that stand in the question. */
  readonly permissions: readonly string[];
  /** The question without them. */
  readonly rest: string;
}

const pair = /(?<![\p{L}\p{N}_:])([A-Za-z][\w.-]*):([^\s"'`,;?!()<>{}[\]#]+)/gu;
const connectors = new Set(['number', 'no', 'nr', 'id', 'called', 'named']);
const ID_MAX = 200;

/** What a question names by itself: slugs, `type:id`, and "the repository website". */
export function namesIn(text: string, vocabulary: Vocabulary): FoundNames {
  const objects: NamedObject[] = [];
  const permissions: string[] = [];
  const slugs = text.replace(/[A-Za-z0-9][\w.:-]*[\w]/gu, (word) => {
    const entry = /[:.]/u.test(word) ? vocabulary.permission(word) : undefined;
    if (entry === undefined) return word;
    permissions.push(entry.key);
    return ' ';
  });
  const rest = slugs.replace(pair, (whole: string, type: string, id: string) => {
    if (!vocabulary.isType(type) && type !== 'role' && type !== 'group') return whole;
    objects.push({ type, id: id.replace(/[.:]+$/u, '').slice(0, ID_MAX) });
    return ' ';
  });
  const spoken = spokenObjects(rest, vocabulary);
  return {
    objects: distinct([...objects, ...spoken.objects]),
    permissions: [...new Set(permissions)],
    rest: spoken.rest,
  };
}

/** "patient p-17", "the branch main-street", "the role cashier". */
function spokenObjects(text: string, vocabulary: Vocabulary): { objects: NamedObject[]; rest: string } {
  const words = rawWords(text);
  const objects: NamedObject[] = [];
  const gone = new Set<number>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const type = /^(?:role|group)$/iu.test(word) ? word.toLowerCase() : vocabulary.typeOf(word);
    if (type === undefined) continue;
    const index = connectors.has(words[at + 1]?.toLowerCase() ?? '') ? at + 2 : at + 1;
    const id = words[index];
    if (id === undefined || !isId(id, word, type, vocabulary)) continue;
    objects.push({ type, id: id.slice(0, ID_MAX) });
    for (let each = at; each <= index; each++) gone.add(each);
  }
  return { objects, rest: gone.size === 0 ? text : words.filter((_, at) => !gone.has(at)).join(' ') };
}

/** Digits, a compound of unknown words, or an unknown word behind a type in the singular: nothing that says more. */
function isId(word: string, typeWord: string, type: string, vocabulary: Vocabulary): boolean {
  if (isStopWord(word)) return false;
  // also one that is not there: who may not read roles and groups learns from no answer which there are
  if (type === 'role' || type === 'group') return !/s$/iu.test(typeWord);
  if (/\p{N}/u.test(word)) return true;
  if (/s$/iu.test(typeWord)) return false;
  const parts = contentWords(word);
  return (
    parts.length > 0 &&
    parts.some(({ stem, isWeak }) => !isWeak && !vocabulary.has(stem)) &&
    isUnknown(word, vocabulary)
  );
}

function isUnknown(word: string, vocabulary: Vocabulary): boolean {
  const stem = stemOf(word);
  return !vocabulary.has(stem) && synonymsOf(stem).size === 0 && vocabulary.typeOf(word) === undefined;
}

function distinct(objects: readonly NamedObject[]): NamedObject[] {
  return [...new Map(objects.map((object) => [`${object.type}:${object.id}`, object])).values()];
}
