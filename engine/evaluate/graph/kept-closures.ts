import { UNKNOWN_NODE_MIN, WILDCARD_NODE } from '../../store/edge-key.ts';
import type { Plan } from '../plan/plan.ts';
import { BlockCache } from './block-cache.ts';

/** A closure of more members than this is not kept. */
const MEMBERS_MAX = 256;
/** Words behind each slot of the cache: two for a member, and a subject has some dozen groups and their roles. */
const OVERFLOW_WORDS = 48;
const KIND_BITS = 15;
const KIND_MASK = (1 << KIND_BITS) - 1;
/** Over all stores, some hundred bytes each. */
const PLANS_MAX = 32_768;
/** Of one store. */
const STORE_PLANS_MAX = 64;
const NUMBER_MAX = 0x7ffffffe;
/** Of a plan whose closures do not hold any more. */
const RENEW = 0;

const NONE: readonly Kept[] = [];

interface Kept {
  readonly plan: Plan;
  /** What its closures are kept under. */
  number: number;
}

/** Of a member `[node][level, kind]`, the second word. */
export function memberKind(word: number): number {
  return word & KIND_MASK;
}

export function memberLevel(word: number): number {
  return word >>> KIND_BITS;
}

/**
 * What walks up from subjects found: the usersets that each is a member of, as `[words]([node][level, kind])*`. A subject
 * that is asked about again is then known by one list, where the walk takes one for each of its groups.
 *
 * They are as exact as the lists of `Graph`. A tuple whose subject is an entity ends the closure of that subject alone,
 * as no other walk up passes an entity. One whose subject is a userset or a wildcard renews the number that the closures
 * of its plan are kept under, and what was kept before is never found again: such a tuple drops the closures of all
 * subjects of its store. Only closures that tuples alone decide are kept: none that met a condition or an expiry, or was
 * not complete.
 */
export class KeptClosures {
  readonly #lists: BlockCache;
  /** By store, of which nearly all are asked by one plan or two. */
  readonly #plans = new Map<number, Kept[]>();
  readonly #scratch = new Int32Array(1 + 2 * MEMBERS_MAX);
  #count = 0;
  #last = 0;

  constructor(bytes: number) {
    this.#lists = new BlockCache(bytes, OVERFLOW_WORDS);
  }

  /** Where the members of a subject stand in `data`: `[words]([node][level, kind])*`; 0 where they are not known. */
  recall(store: number, plan: Plan, subject: number, subjectKind: number): number {
    return this.#lists.find(this.#keptOf(store, plan).number, subject, subjectKind);
  }

  /** What the last offset points into. */
  get data(): Int32Array {
    return this.#lists.data;
  }

  /**
   * Takes in a closure that holds until a tuple changes.
   * @param members `(node, kind, level)` triples, of which the first `length` numbers count
   */
  keep(
    store: number,
    plan: Plan,
    subject: number,
    subjectKind: number,
    members: readonly number[],
    length = members.length,
  ): void {
    const words = (length / 3) * 2;
    // what a question alone knows has another meaning in the next one
    if (words > 2 * MEMBERS_MAX || words > this.#lists.wordsMax || subject >= UNKNOWN_NODE_MIN) return;
    const scratch = this.#scratch;
    scratch[0] = words;
    for (let from = 0, to = 1; from < length; from += 3, to += 2) {
      scratch[to] = members[from] as number;
      scratch[to + 1] = ((members[from + 2] as number) << KIND_BITS) | (members[from + 1] as number);
    }
    this.#lists.add(this.#keptOf(store, plan).number, subject, subjectKind, scratch, 0);
  }

  /** A commit wrote or deleted a tuple of this subject and these kinds, `object kind << 16 | subject kind`. */
  touch(store: number, kinds: number, subject: number): void {
    const subjectKind = kinds & KIND_MASK;
    for (const kept of this.#plans.get(store) ?? NONE) {
      const { plan, number } = kept;
      if (number === RENEW || !plan.ascents[subjectKind]?.some(({ objectKind }) => objectKind === kinds >>> 16))
        continue;
      const isEntity = subject !== WILDCARD_NODE && plan.byKind[subjectKind] === undefined;
      if (isEntity) this.#lists.remove(number, subject, subjectKind);
      else kept.number = RENEW;
    }
  }

  forgetStore(store: number): void {
    for (const kept of this.#plans.get(store) ?? NONE) kept.number = RENEW;
  }

  /** Drops the closures and plans of a store. */
  drop(store: number): void {
    this.#count -= this.#plans.get(store)?.length ?? 0;
    this.#plans.delete(store);
  }

  clear(): void {
    this.#lists.clear();
    this.#plans.clear();
    this.#count = this.#last = 0;
  }

  #keptOf(store: number, plan: Plan): Kept {
    let kept: Kept | undefined;
    for (const each of this.#plans.get(store) ?? NONE) if (each.plan === plan) kept = each;
    kept ??= this.#begin(store, plan);
    if (kept.number !== RENEW) return kept;
    if (this.#last >= NUMBER_MAX) {
      this.clear();
      return this.#keptOf(store, plan);
    }
    kept.number = ++this.#last;
    return kept;
  }

  #begin(store: number, plan: Plan): Kept {
    if (++this.#count > PLANS_MAX) {
      this.#plans.clear();
      this.#count = 1;
    }
    const kept = { plan, number: RENEW };
    const plans = this.#plans.get(store);
    if (plans === undefined) this.#plans.set(store, [kept]);
    else if (plans.length < STORE_PLANS_MAX) plans.push(kept);
    else {
      this.#count -= plans.length;
      this.#plans.set(store, [kept]);
    }
    return kept;
  }
}
