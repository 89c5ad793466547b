/** Bounds of one evaluation. Passing one is an error that names it, never a decision. */
export interface Limits {
  /** Hops from a tuple's object to its userset or parent. Computed relations cost none. `too_deep` beyond. */
  readonly depthMax: number;
  /** Nodes visited in one decision, or intermediate nodes of one list. `too_wide` beyond. */
  readonly nodesMax: number;
  /** Tuples read for one node that no index can answer from the subject's side. `too_wide` beyond. */
  readonly breadthMax: number;
  /** Milliseconds of one decision or one page. `timeout` beyond. */
  readonly timeMaxMs: number;
  readonly contextualTuplesMax: number;
}

/** Bounds that callers do not set. */
export interface WalkLimits extends Limits {
  /** No walk: equations answer every question. */
  readonly equationsAlone?: boolean;
  /** From so many memberships on, what is found of a subject is kept for other questions. */
  readonly keptMin?: number;
}

/** To walk fewer memberships again takes less time than to keep them. */
export const KEPT_MIN = 4;

export const DEFAULT_LIMITS: Limits = {
  depthMax: 25,
  nodesMax: 1_000_000,
  breadthMax: 1_000_000,
  timeMaxMs: 3_000,
  contextualTuplesMax: 100,
};
