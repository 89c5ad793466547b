import MiniSearch, { type SearchResult } from 'minisearch';
import { isGeneralVerb, synonymsOf } from '../question/synonyms.ts';
import { contentWords, stemOf, type Word } from '../question/words.ts';
import type { VocabularyEntry } from './collect-entries.ts';

/** An entry with the stems of its words, and what each counts. */
export interface IndexedEntry {
  readonly entry: VocabularyEntry;
  readonly actions: ReadonlySet<string>;
  readonly nouns: ReadonlySet<string>;
  readonly described: ReadonlySet<string>;
}

/** A word of the description says less than one of the slug or the name. */
const DESCRIBED = 0.85;
/** The most that a verb counts that goes with everything. */
const GENERAL = 0.4;
const FOUND_MAX = 25;
/** An alias of a type stands in the names of so many of its permissions, and in no other type's. */
const ALIAS_NAMES_MIN = 2;

/**
 * The words of one organization, to be searched: entries ranked by BM25+ over stems (MiniSearch), and how often a word
 * stands in them.
 */
export class Vocabulary {
  readonly size: number;
  readonly #entries: readonly IndexedEntry[];
  readonly #search: MiniSearch<{ id: number } & Record<'action' | 'noun' | 'described', string>>;
  readonly #frequencies = new Map<string, number>();
  readonly #types = new Map<string, string>();
  /** By slug in lower case. */
  readonly #permissions = new Map<string, VocabularyEntry>();

  constructor(entries: readonly VocabularyEntry[]) {
    this.size = entries.length;
    this.#entries = entries.map(indexed);
    this.#search = new MiniSearch({
      fields: ['action', 'noun', 'described'],
      tokenize: (text) => text.split(' '),
      processTerm: (term) => term || null,
      searchOptions: { boost: { action: 2, noun: 2, described: 1 } },
    });
    const documents = this.#entries.map(({ actions, nouns, described }, id) => ({
      id,
      action: [...actions].join(' '),
      noun: [...nouns].join(' '),
      described: [...described].join(' '),
    }));
    this.#search.addAll(documents);
    for (const each of this.#entries) this.#note(each);
    this.#nameTypes();
  }

  /** The type of objects that a word stands for: its own name, or what its permissions call it. */
  typeOf(word: string): string | undefined {
    return this.#types.get(stemOf(word));
  }

  isType(name: string): boolean {
    return this.#types.get(`=${name}`) === name;
  }

  /** Whether the word stands anywhere in the vocabulary. */
  has(stem: string): boolean {
    return this.#frequencies.has(stem);
  }

  /** By slug, without regard to case. */
  permission(slug: string): VocabularyEntry | undefined {
    return this.#permissions.get(slug.toLowerCase());
  }

  ofType(type: string): IndexedEntry[] {
    return this.#entries.filter(({ entry }) => entry.type === type && entry.kind !== 'role' && entry.kind !== 'group');
  }

  /** The best entries for some words, with their rank in the search. */
  find(words: readonly Word[]): { readonly found: IndexedEntry; readonly rank: number }[] {
    const weights = new Map<string, number>();
    for (const { stem, isWeak } of words) {
      raise(weights, stem, isWeak ? 0.3 : 1);
      for (const [other, weight] of synonymsOf(stem)) raise(weights, other, isWeak ? weight * 0.3 : weight);
    }
    const terms = [...weights.keys()];
    const results: SearchResult[] = this.#search.search(terms.join(' '), {
      boostTerm: (term) => weights.get(term) ?? 1,
    });
    return results.slice(0, FOUND_MAX).flatMap(({ id, score }) => {
      const found = this.#entries[id as number];
      return found === undefined ? [] : [{ found, rank: score }];
    });
  }

  /** How much a word tells, 0 to 1: one that stands everywhere tells little, an unknown one nearly everything. */
  weightOf({ stem, isWeak }: Word): number {
    if (isWeak) return 0.2;
    let count = this.#frequencies.get(stem) ?? 0;
    if (count === 0) for (const other of synonymsOf(stem).keys()) count += this.#frequencies.get(other) ?? 0;
    if (count === 0) return 0.8;
    const rarity = Math.log(1 + this.size / count) / Math.log(1 + this.size);
    return Math.max(0.25, isGeneralVerb(stem) ? Math.min(rarity, GENERAL) : rarity);
  }

  #note({ entry, actions, nouns, described }: IndexedEntry): void {
    if (entry.kind === 'permission') this.#permissions.set(entry.key.toLowerCase(), entry);
    for (const stem of new Set([...actions, ...nouns, ...described])) {
      this.#frequencies.set(stem, (this.#frequencies.get(stem) ?? 0) + 1);
    }
  }

  #nameTypes(): void {
    const names = new Map<string, Map<string, number>>();
    for (const { entry, nouns } of this.#entries) {
      const { type, isSystem } = entry;
      if (type === '' || isSystem) continue;
      this.#types.set(`=${type}`, type);
      this.#types.set(stemOf(type), type);
      const counts = names.get(type) ?? new Map<string, number>();
      names.set(type, counts);
      for (const noun of nouns) counts.set(noun, (counts.get(noun) ?? 0) + 1);
    }
    for (const [type, counts] of names) {
      for (const [noun, count] of counts) {
        const isOwn = [...names].every(([other, nouns]) => other === type || !nouns.has(noun));
        if (count >= ALIAS_NAMES_MIN && isOwn && !this.#types.has(noun)) this.#types.set(noun, type);
      }
    }
  }
}

/** How well one word of a question fits an entry, 0 to 1. */
export function fitOf({ stem }: Word, entry: IndexedEntry, where: 'anywhere' | 'action' | 'noun' = 'anywhere'): number {
  let best = stemFit(stem, entry, where);
  for (const [other, weight] of synonymsOf(stem)) {
    if (best >= weight) break;
    best = Math.max(best, weight * stemFit(other, entry, where));
  }
  return best;
}

function stemFit(stem: string, { actions, nouns, described }: IndexedEntry, where: string): number {
  if (where !== 'noun' && actions.has(stem)) return 1;
  if (where !== 'action' && nouns.has(stem)) return 1;
  return where === 'anywhere' && described.has(stem) ? DESCRIBED : 0;
}

function indexed(entry: VocabularyEntry): IndexedEntry {
  const { action, type, name, description, kind } = entry;
  const stems = (text: string): string[] => contentWords(text).map(({ stem }) => stem);
  const [verb, ...rest] = contentWords(name).map(({ stem }) => stem);
  const actions = new Set([...stems(action), ...(verb === undefined ? [] : [verb])]);
  const nouns = new Set([...(kind === 'role' || kind === 'group' ? [] : stems(type)), ...rest]);
  return { entry, actions, nouns, described: new Set(stems(description)) };
}

function raise(weights: Map<string, number>, term: string, weight: number): void {
  weights.set(term, Math.max(weights.get(term) ?? 0, weight));
}
