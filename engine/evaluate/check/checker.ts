import { EngineError } from '../../errors.ts';
import type { BulkDecision, CheckRequest, Decision, Question } from '../../requests.ts';
import { QuestionNodes } from '../ahead/question-nodes.ts';
import { TOGETHER_MAX } from '../ahead/read-each.ts';
import type { Graph } from '../graph/graph.ts';
import type { Limits } from '../limits.ts';
import type { Plan } from '../plan/plan.ts';
import { Resolver, type StoreView } from '../question.ts';
import { ALLOWED, CONDITIONAL, FAILED, type Verdict } from '../verdict.ts';
import type { Overlay } from '../walk/overlay.ts';
import { Run } from '../walk/run.ts';
import { decide } from './decide.ts';

const IS_ALLOWED: Decision = { outcome: 'allowed' };
const IS_DENIED: Decision = { outcome: 'denied' };

/** Answers checks of one thread, one at a time. Calls must come from inside `Snapshot.read`. */
export class Checker {
  readonly #graph: Graph;
  readonly #limits: Limits;
  #run: Run | undefined;
  /** Of the last question; it knows the nodes that only this question has. */
  #resolver: Resolver | undefined;
  #nodes: QuestionNodes | undefined;

  constructor(graph: Graph, limits: Limits) {
    this.#graph = graph;
    this.#limits = limits;
  }

  check(view: StoreView, plan: Plan, request: CheckRequest): Decision {
    const { names, number } = view;
    names.getBoth(number, request.object, request.subject);
    const { first, second } = names;
    // the list of all its tuples, which has no tag
    if (first !== 0) this.#graph.lists.touch(number, first, 0);
    return this.#checkNodes(view, plan, request, first, second);
  }

  /** @param object of the table of names, as `subject`; 0 where it does not know it */
  #checkNodes(view: StoreView, plan: Plan, request: CheckRequest, object: number, subject: number): Decision {
    const run = this.prepare(view, plan, request);
    const resolver = this.#resolve(view, plan);
    if (request.contextualTuples !== undefined) {
      run.overlay = resolver.overlay(request.contextualTuples, this.#limits.contextualTuplesMax);
    }
    resolver.aim(run, request.subject, subject);
    return evaluate(run, resolver, request, object);
  }

  /** A check over an overlay that is not a list of contextual tuples. */
  checkWith(view: StoreView, plan: Plan, request: CheckRequest, overlayOf: (resolver: Resolver) => Overlay): Decision {
    const run = this.prepare(view, plan, request);
    const resolver = this.#resolve(view, plan);
    run.overlay = overlayOf(resolver);
    resolver.aim(run, request.subject);
    return evaluate(run, resolver, request);
  }

  /** Each on its own: one that fails says so in its place. `shared` fills in what a request does not say itself. */
  checkMany(view: StoreView, plan: Plan, requests: readonly CheckRequest[], shared: Question): BulkDecision[] {
    this.#nodes ??= new QuestionNodes(view.names, this.#graph.lists);
    const nodes = this.#nodes;
    const isShared = Object.keys(shared).length > 0;
    let before: CheckRequest | undefined;
    return requests.map((request, index) => {
      const place = index % TOGETHER_MAX;
      if (place === 0) nodes.find(view.number, requests, index, Math.min(TOGETHER_MAX, requests.length - index));
      try {
        const whole = isShared ? { ...shared, ...request } : request;
        if (whole.modelId !== undefined && whole.modelId !== plan.modelId) throw otherModel();
        const isSameSubject = before !== undefined && isSameAsker(before, whole);
        before = undefined;
        const object = nodes.objectOf(place);
        const answer = isSameSubject
          ? this.#checkAgain(view, plan, whole, object)
          : this.#checkNodes(view, plan, whole, object, nodes.subjectOf(place));
        before = whole;
        return answer;
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        return { outcome: 'error', code: error.code, message: error.message, details: error.details };
      }
    });
  }

  #resolve(view: StoreView, plan: Plan): Resolver {
    if (this.#resolver === undefined) this.#resolver = new Resolver(view, plan);
    else this.#resolver.begin(view, plan);
    return this.#resolver;
  }

  /** The run is still aimed at the same subject: what it settled for the last object holds for this one. */
  #checkAgain(view: StoreView, plan: Plan, request: CheckRequest, object: number): Decision {
    const run = this.#run;
    const resolver = this.#resolver;
    if (run === undefined || resolver === undefined) return this.check(view, plan, request);
    run.again();
    return evaluate(run, resolver, request, object);
  }

  /** The thread's run, empty, for a question about this store. */
  prepare(view: StoreView, plan: Plan, question: Question): Run {
    this.#run ??= new Run(this.#graph, this.#limits, plan);
    const run = this.#run;
    run.plan = plan;
    run.store = view.number;
    run.suspended = view.suspended;
    run.overlay = undefined;
    run.weights = undefined;
    run.question = question;
    run.begin();
    return run;
  }
}

/** @param found the node of the object in the name table; undefined where it was not looked for */
function evaluate(run: Run, resolver: Resolver, request: CheckRequest, found?: number): Decision {
  const target = resolver.target(request.object, request.relation);
  const node = resolver.object(request.object, found);
  if (run.isSuspended) return IS_DENIED;
  return decision(run, decide(run, node, target));
}

/** May two questions share what the first one found? Contextual tuples may name nodes of their own, so never with them. */
function isSameAsker(a: CheckRequest, b: CheckRequest): boolean {
  return (
    a.subject === b.subject &&
    a.context === b.context &&
    a.now === b.now &&
    a.contextualTuples === undefined &&
    b.contextualTuples === undefined
  );
}

function otherModel(): EngineError {
  return new EngineError('invalid_argument', 'checks of one call are answered by one model', { path: 'modelId' });
}

/** A verdict as an answer. Throws the error that decided it. */
export function decision(run: Run, verdict: Verdict): Decision {
  if (verdict === ALLOWED) return IS_ALLOWED;
  if (verdict === CONDITIONAL) return { outcome: 'conditional', missing: run.missingNames() };
  if (verdict === FAILED) throw run.error ?? new EngineError('condition_failed', 'a condition failed');
  return IS_DENIED;
}
