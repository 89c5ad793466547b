/** A tuple as text. */
export type Fact = string;

export interface Requirement {
  readonly fact: Fact;
  readonly isPresent: boolean;
}

/** One request that changes facts, all of them or none. Times are of one clock that only goes forward. */
export interface WriteOperation {
  /** Among `writes`, and of this request alone: it tells in which commits the request was applied. */
  readonly mark: Fact;
  readonly writes: readonly Fact[];
  readonly deletes: readonly Fact[];
  /** What must hold where it is applied. */
  readonly requires: readonly Requirement[];
  /** Unknown: no answer came, or one after which it may still be applied. */
  readonly outcome: 'acknowledged' | 'refused' | 'unknown';
  /** Of its answer, where it was acknowledged. */
  readonly revision?: number;
  readonly began: number;
  readonly ended: number;
}

/** One question that was answered. */
export interface CheckOperation {
  readonly fact: Fact;
  readonly allowed: boolean;
  /** What the answer says of the state that it is from. */
  readonly revision: number;
  /** The revision that was asked for, at least. */
  readonly token?: number;
  /** Whether everything was to count that was acknowledged before it began. */
  readonly isFullyConsistent?: boolean;
  readonly began: number;
  readonly ended: number;
}

export interface Commit {
  readonly revision: number;
  readonly writes: readonly Fact[];
  readonly deletes: readonly Fact[];
}

/** What a node has after all has healed. */
export interface NodeContent {
  readonly name: string;
  /** The last message of the log that it has applied. */
  readonly sequence: number;
  /** Of its tuples and records, at that message. */
  readonly hash: string;
  /** All of them, from an empty store on. */
  readonly commits: readonly Commit[];
  readonly facts: readonly Fact[];
  /** By a write's mark: how many records say that the write was done. */
  readonly records: ReadonlyMap<Fact, number>;
}

export interface History {
  readonly writes: readonly WriteOperation[];
  readonly checks: readonly CheckOperation[];
  readonly nodes: readonly NodeContent[];
  /** What a question answers where these facts stand. */
  readonly holds: (facts: ReadonlySet<Fact>, asked: Fact) => boolean;
}
