import { EngineError } from '../../errors.ts';
import type { Question } from '../../requests.ts';
import type { Qualifier } from '../../store/change-log.ts';
import { SuspendedSubjects } from '../../store/suspended/suspended-subjects.ts';
import type { Graph } from '../graph/graph.ts';
import type { WalkLimits } from '../limits.ts';
import type { Plan, Restriction } from '../plan/plan.ts';
import { ALLOWED, CONDITIONAL, DENIED, FAILED, type Verdict } from '../verdict.ts';
import type { Collecting, EquationSystem } from './collecting.ts';
import type { Deferred } from './deferred.ts';
import { NodeMap } from './node-map.ts';
import type { Overlay } from './overlay.ts';
import { type Doubt, Weights } from './weights.ts';

const CLOCK_EVERY = 1023;
const MEMO_MAX = 1_000_000;
/** A longer queue is not kept for the next question. */
const QUEUE_KEPT_MAX = 16_384;

/** Thrown out of a walk that is back at a node which it is in the middle of; caught by `decide`, nowhere else. */
export const CYCLIC = new Error('the walk goes round in a cycle');

/**
 * One question while it is being answered: who is asked about, by which plan, and what was found on the way. A thread
 * has one and uses it for question after question.
 */
export class Run {
  readonly graph: Graph;
  readonly limits: WalkLimits;
  readonly memo = new NodeMap();
  readonly closure = new NodeMap();
  /** (node, kind, level) triples that the closure has yet to climb from. */
  readonly queue: number[] = [];
  /** How much of `queue` is in use: an array whose length is set back gives its memory away, and grows anew each time. */
  queued = 0;
  plan: Plan;
  store = 0;
  suspended = new SuspendedSubjects();
  subject = 0;
  subjectKind = 0;
  /** The kind of the wildcard that covers the subject; 0 for a userset or a wildcard itself. */
  wildcardKind = 0;
  overlay: Overlay | undefined;

  depthPassed = false;
  /** Is it a question of unions alone? */
  unionsAlone = false;
  /** Has the walk come back to a node that it was in the middle of? What it has found since may hold for it alone. */
  isCyclic = false;
  /** Has it asked behind a tuple that is itself undecided? */
  isUnsure = false;
  error: EngineError | undefined;
  /** Names of missing context, of whatever is conditional so far; may repeat. */
  readonly missing: string[] = [];
  /** Of the nodes in the memo that are undecided. */
  readonly doubts: Doubt[] = [];
  /** `unknown` after a search among what is kept; `complete` also while the walk up goes on. */
  closureState: 'none' | 'unknown' | 'complete' | 'partial' = 'none';
  /** Has the walk up from the subject begun and not ended? */
  isClimbing = false;
  /** Where in the queue it goes on. */
  climbedTo = 0;
  /** Usersets that are settled when the walk over parents is done. */
  readonly deferred: Deferred[] = [];
  /** Usersets that the walk down from them has reached, with their hops from the question. */
  readonly below = new NodeMap();
  /** The same as (node, kind) pairs, in their order. */
  readonly descent: number[] = [];
  /** How much of `descent` is in use. */
  reached = 0;
  /** Where among them the walk down goes on. */
  descended = 0;
  /** Can the walk down still tell that the subject is a member of none of them? */
  canDescend = false;
  mayDefer = false;
  hasDeferred = false;
  /** Was one of them met? Then the question is decided, whatever else the walk finds. */
  isAllowedLate = false;
  closureTooDeep = false;
  /** Whether the closure depends on tuples alone: not on time, context or what the question brings along. */
  closureIsOfTuples = false;
  /** Set while equations are collected. */
  collecting: Collecting | undefined;
  /** Answers instead of a walk, once a walk was left. */
  collector: EquationSystem | undefined;
  /** Of the tuples that equations read, several of them the same. They hold for other subjects too. */
  weights: Weights | undefined;
  #question: Question = {};
  #now: number | undefined;
  #nodes = 0;
  #deadline = 0;
  #tooDeep: EngineError | undefined;

  constructor(graph: Graph, limits: WalkLimits, plan: Plan) {
    this.graph = graph;
    this.limits = limits;
    this.plan = plan;
  }

  /** Milliseconds since the epoch: as the question says, else by the clock, which is read when first needed. */
  get now(): number {
    const { now } = this.#question;
    if (now !== undefined) return now;
    this.#now ??= Date.now();
    return this.#now;
  }

  /** Whose context and time count. */
  set question(question: Question) {
    this.#question = question;
    this.#now = undefined;
  }

  /** Is the subject denied whatever the tuples say? A userset or a wildcard never is. */
  get isSuspended(): boolean {
    return !this.suspended.isEmpty && this.wildcardKind !== 0 && this.suspended.has(this.subject);
  }

  /** Forgets the last question. */
  begin(): void {
    this.again();
    this.collector = undefined;
    this.forgetNodes();
    if (this.closureState !== 'none') {
      this.closure.clear();
      this.closureState = 'none';
      this.isClimbing = false;
    }
    this.closureTooDeep = false;
  }

  /** Adds a node that the closure has yet to climb from. */
  enqueue(node: number, kind: number, level: number): void {
    const { queue } = this;
    queue[this.queued++] = node;
    queue[this.queued++] = kind;
    queue[this.queued++] = level;
  }

  emptyQueue(): void {
    this.queued = 0;
    if (this.queue.length > QUEUE_KEPT_MAX) this.queue.length = 0;
  }

  /** Another object for the same subject, context and snapshot: what was found stays so. */
  again(): void {
    this.#nodes = 0;
    this.#deadline = 0;
    this.restart();
    if (this.memo.size > MEMO_MAX) this.forgetNodes();
  }

  /**
   * Goes back to where a walk begins. What was found still holds, unless a depth or a cycle cut something off. Nodes
   * and time are counted on.
   */
  restart(): void {
    if (this.depthPassed || this.isCyclic) this.forgetNodes();
    this.depthPassed = false;
    this.isCyclic = false;
    this.isUnsure = false;
    this.forget(0, undefined);
  }

  forgetNodes(): void {
    if (this.memo.size > 0) this.memo.clear();
    if (this.doubts.length > 0) this.doubts.length = 0;
  }

  /**
   * The walk is back at a node that it is in the middle of. To a union of unions this adds nothing: the node's other
   * branches speak for themselves. Where an `and` or a `but not` may lie between, only equations can tell, and an
   * undecided tuple is an `and`.
   */
  closeCycle(): Verdict {
    this.isCyclic = true;
    if (!this.unionsAlone || this.isUnsure) throw CYCLIC;
    return DENIED;
  }

  /** A walk was left in the middle, and its nodes do not count. */
  abandonWalk(): void {
    this.#nodes = 0;
  }

  /** The names without which the question stays undecided, sorted. */
  missingNames(): string[] {
    return [...new Set(this.missing)].sort();
  }

  /** A branch was decided after all: what it lacked, and how it failed, no longer matters. */
  forget(missing: number, error: EngineError | undefined): void {
    // Setting an array's length calls into the runtime, even where nothing changes.
    if (this.missing.length !== missing) this.missing.length = missing;
    this.error = error;
  }

  fail(error: EngineError): Verdict {
    this.error ??= error;
    return FAILED;
  }

  tooDeep(): Verdict {
    this.depthPassed = true;
    // One for all: a walk may meet very many, and an error costs more than a node.
    this.#tooDeep ??= depthError(this.limits);
    return this.fail(this.#tooDeep);
  }

  /**
   * Counts one visited node. Throws beyond `nodesMax` or the time: a bound on the whole evaluation ends it, whatever
   * its other branches would have said. The clock is first read after a thousand nodes, so that small ones never do.
   */
  visit(): void {
    if ((++this.#nodes & CLOCK_EVERY) !== 0) return;
    const { nodesMax } = this.limits;
    if (this.#nodes > nodesMax) {
      throw new EngineError('too_wide', `the evaluation passed its bound of ${nodesMax} nodes`, { nodesMax });
    }
    this.watch();
  }

  /** Throws where time is up. */
  watch(): void {
    const { timeMaxMs } = this.limits;
    const time = performance.now();
    if (this.#deadline === 0) this.#deadline = time + timeMaxMs;
    else if (time > this.#deadline) {
      throw new EngineError('timeout', `the evaluation passed its time of ${timeMaxMs} ms`, { timeMaxMs });
    }
  }

  /** What an undecided answer lacks: the names that were added after the first `missing`, and why it failed. */
  doubt(verdict: Verdict, missing: number): Doubt {
    const names = [...new Set(this.missing.splice(missing))];
    this.missing.push(...names);
    return { verdict, missing: names, error: this.error };
  }

  /** Gives a known answer again. */
  recall({ verdict, missing, error }: Doubt): Verdict {
    for (const name of missing) this.missing.push(name);
    return error === undefined ? verdict : this.fail(error);
  }

  /** What a stored tuple with a condition or an expiry is worth now. Denied where the model no longer allows it. */
  qualified(object: number, kinds: number, subject: number, restriction: Restriction): Verdict {
    if (this.collecting !== undefined) return this.#qualifiedOnce(object, kinds, subject, restriction);
    const qualifier = this.graph.qualifier(this.store, object, kinds, subject);
    return qualifier === undefined ? DENIED : this.weigh(qualifier, restriction);
  }

  #qualifiedOnce(object: number, kinds: number, subject: number, restriction: Restriction): Verdict {
    this.weights ??= new Weights();
    const known = this.weights.find(object, kinds, subject);
    if (known !== undefined) return this.recall(known);
    const { error } = this;
    const missing = this.missing.length;
    this.error = undefined;
    const qualifier = this.graph.qualifier(this.store, object, kinds, subject);
    const verdict = qualifier === undefined ? DENIED : this.weigh(qualifier, restriction);
    this.weights.add(object, kinds, subject, this.doubt(verdict, missing));
    this.error = error ?? this.error;
    return verdict;
  }

  /** Does a tuple exist for the asked model and time, whatever its condition says? */
  stands({ condition, expiresAt }: Qualifier, restriction: Restriction): boolean {
    if (expiresAt !== undefined && this.now >= expiresAt) return false;
    return condition === undefined ? restriction.plain : restriction.conditions.has(condition);
  }

  weigh(qualifier: Qualifier, restriction: Restriction): Verdict {
    if (!this.stands(qualifier, restriction)) return DENIED;
    if (qualifier.condition === undefined) return ALLOWED;
    const condition = this.plan.conditions.get(qualifier.condition);
    if (condition === undefined) return DENIED;
    const result = condition.evaluate(qualifier.context, this.#question.context);
    switch (result.kind) {
      case 'true':
        return ALLOWED;
      case 'false':
        return DENIED;
      case 'missing':
        this.missing.push(...result.names);
        return CONDITIONAL;
      case 'failed':
        return this.fail(result.error);
    }
  }
}

function depthError({ depthMax }: WalkLimits): EngineError {
  return new EngineError('too_deep', `the evaluation passed its depth of ${depthMax}`, { depthMax });
}
