import { performance } from 'node:perf_hooks';
import { type BulkDecision, type CheckRequest, EngineError, type Store } from '#engine';
import { actors } from '../../../directory/records/index.ts';
import { jsonText, type Reply } from '../../../http/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { requireFresh } from '../context/consistency.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import type { BulkBody } from './bulk-body.ts';
import { outcomeText } from './decision-reply.ts';
import { type ItemResult, itemFailure } from './item-error.ts';

export interface BulkAnswer {
  readonly results: ItemResult[];
  readonly revision: string;
}

/**
 * Reads an item into the questions of which one must be allowed, one or two, and asks them of `bulk`. May throw what is
 * wrong with the item.
 */
type ReadItem = (check: unknown, bulk: Bulk, now: number) => void;

/** Each item by itself, all in one snapshot. */
export function answerBulk(
  dependencies: AuthzDependencies,
  caller: Caller,
  body: BulkBody,
  read: ReadItem,
): Reply<BulkAnswer> {
  const startedAt = performance.now();
  const reply = dependencies.engine.read(() => {
    const revision = dependencies.engine.revision();
    requireFresh(dependencies.tokens, body.consistency, revision);
    const now = dependencies.clock.now();
    const bulk = new Bulk();
    for (const check of body.checks) {
      try {
        read(check, bulk, now);
      } catch (error) {
        bulk.settle(itemFailure(error));
      }
    }
    const results = bulk.answer(caller.organization.store, now);
    return jsonText(200, `{"results":${results},"revision":"${dependencies.tokens.of(revision)}"}`);
  });
  dependencies.meter.record('bulk', startedAt, body.checks.length);
  return reply;
}

const DENIED: BulkDecision = { outcome: 'denied' };

/**
 * The items of a bulk request on their way to the engine, which is asked once for all of them: consecutive ones about
 * the same subject share what it finds of that subject.
 */
export class Bulk {
  readonly #firsts: CheckRequest[] = [];
  /** Further questions of items that the first one does not settle, by its index among the first ones. */
  readonly #seconds = new Map<number, CheckRequest>();
  /** The questions of an item once more, with what they may lack; by its index among the first ones. */
  readonly #fuller: (Fuller | undefined)[] = [];
  /** By index among all items. */
  readonly #settled = new Map<number, ItemResult>();

  /** The next item: allowed where one of its questions is. Where it is conditional, `fuller` has the same with more. */
  ask(first: CheckRequest, second?: CheckRequest, fuller?: Fuller): void {
    this.#fuller.push(fuller);
    if (second !== undefined) this.#seconds.set(this.#firsts.length, second);
    this.#firsts.push(first);
  }

  /** The next item, which has its result already. */
  settle(result: ItemResult): void {
    this.#settled.set(this.#firsts.length + this.#settled.size, result);
  }

  /** The results in order, as the text of a JSON array. To be called inside `Engine.read`. */
  answer(store: Store, now: number): string {
    const decisions = askMany(store, this.#firsts, now);
    if (this.#seconds.size > 0) this.#askAgain(store, decisions, now);
    this.#askFuller(store, decisions, now);
    let text = '';
    let asked = 0;
    const count = decisions.length + this.#settled.size;
    for (let index = 0; index < count; index++) {
      const settled = this.#settled.size === 0 ? undefined : this.#settled.get(index);
      if (index > 0) text += ',';
      text += settled === undefined ? resultText(decisions[asked++] as BulkDecision) : JSON.stringify(settled);
    }
    return `[${text}]`;
  }

  /** Asks the second questions of those whom the first did not allow. */
  #askAgain(store: Store, decisions: BulkDecision[], now: number): void {
    const open = [...this.#seconds].filter(([index]) => decisions[index]?.outcome !== 'allowed');
    const requests = open.map(([, request]) => request);
    const answers = askMany(store, requests, now);
    open.forEach(([index], i) => {
      decisions[index] = either(decisions[index] as BulkDecision, answers[i] as BulkDecision);
    });
  }

  #askFuller(store: Store, decisions: BulkDecision[], now: number): void {
    decisions.forEach((decision, index) => {
      const fuller = this.#fuller[index];
      if (decision.outcome !== 'conditional' || fuller === undefined) return;
      decisions[index] = askMany(store, fuller(), now).reduce(either, DENIED);
    });
  }
}

/** Made only where it is needed. */
type Fuller = () => readonly CheckRequest[];

/** `ask` for many: a subject whose record is not active has nothing, whatever the tuples say. */
function askMany(store: Store, requests: readonly CheckRequest[], now: number): BulkDecision[] {
  const counting = requests.filter(({ subject }) => actors.counts(store, subject, now));
  const decisions = store.checkMany(counting);
  if (counting.length === requests.length) return decisions;
  let next = 0;
  return requests.map((request) => (request === counting[next] ? (decisions[next++] as BulkDecision) : DENIED));
}

/** The union of two: allowed, then the first error, then conditional, then denied. */
function either(one: BulkDecision, other: BulkDecision): BulkDecision {
  if (one.outcome === 'allowed' || other.outcome === 'allowed') return one.outcome === 'allowed' ? one : other;
  if (one.outcome === 'error' || other.outcome === 'error') return one.outcome === 'error' ? one : other;
  if (one.outcome === 'denied' || other.outcome === 'denied') return one.outcome === 'denied' ? other : one;
  return { outcome: 'conditional', missing: [...new Set([...one.missing, ...other.missing])].sort() };
}

function resultText(decision: BulkDecision): string {
  if (decision.outcome !== 'error') return outcomeText(decision);
  return JSON.stringify(itemFailure(new EngineError(decision.code, decision.message, decision.details)));
}
