import type { Store } from '#engine';
import { areUntouched, followersOf } from '../../../kernel/records/index.ts';
import { collectEntries, vocabularyCollections } from './collect-entries.ts';
import { Vocabulary } from './vocabulary.ts';

/** Entries that one thread keeps, of all organizations together: some 2 KB each. */
const ENTRIES_MAX = 30_000;

interface Kept {
  readonly vocabulary: Vocabulary;
  readonly modelId: string | undefined;
  readonly followers: ReturnType<typeof followersOf>;
}

/**
 * The vocabularies of the organizations that asked last, in one thread. One is exact: it is made anew once a commit has
 * touched a permission, a role or a group of the organization, or has written a model.
 */
export class Vocabularies {
  readonly #entriesMax: number;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Kept>();
  #entries = 0;

  constructor(entriesMax = ENTRIES_MAX) {
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** To be called inside `Engine.read`. */
  of(store: Store): Vocabulary {
    const known = this.#kept.get(store.name);
    const kept = known !== undefined && isCurrent(known, store) ? known : made(store);
    this.#drop(store.name);
    this.#kept.set(store.name, kept);
    this.#entries += kept.vocabulary.size;
    for (const name of this.#kept.keys()) {
      if (this.#entries <= this.#entriesMax || this.#kept.size === 1) break;
      this.#drop(name);
    }
    return kept.vocabulary;
  }

  #drop(name: string): void {
    this.#entries -= this.#kept.get(name)?.vocabulary.size ?? 0;
    this.#kept.delete(name);
  }
}

function isCurrent({ modelId, followers }: Kept, store: Store): boolean {
  return store.latestModelId() === modelId && areUntouched(store, followers);
}

function made(store: Store): Kept {
  const followers = followersOf(store, vocabularyCollections);
  return { followers, modelId: store.latestModelId(), vocabulary: new Vocabulary(collectEntries(store)) };
}
