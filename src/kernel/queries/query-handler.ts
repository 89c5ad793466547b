import type { ProblemKind, ProblemOptions } from '../../http/index.ts';
import type { Agency, Caller, CredentialReference } from '../organizations/index.ts';
import type { SystemPermission } from '../rights/index.ts';

/** What runs in another thread, as plain data. What came from a caller has passed its schema. */
export interface QueryTask {
  readonly kind: string;
}

export interface QueryRequest {
  readonly organization: string;
  /** Of the caller; `undefined` is the super administrator. */
  readonly subject: string | undefined;
  /** Who acts for it, where somebody does. */
  readonly actor?: string | undefined;
  /** Why an agent acts for it, where one does. */
  readonly agency?: Agency | undefined;
  /** Of the caller's token, where it came with one. */
  readonly scopes?: readonly string[] | undefined;
  /** Of the caller, where its rights come from it. */
  readonly credential?: CredentialReference | undefined;
  readonly task: QueryTask;
}

/** An answer crosses threads as text, which is cheaper to hand over than an object. */
export type QueryAnswer =
  | { readonly ok: true; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly kind: ProblemKind; readonly detail: string; readonly options: ProblemOptions };

/** A body, and headers that the answer has with it. */
export class AnswerWithHeaders {
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: unknown, headers: Readonly<Record<string, string>>) {
    this.body = body;
    this.headers = headers;
  }
}

/** The pool, for those who have work for it. */
export interface QueryPool {
  run(request: QueryRequest): Promise<QueryAnswer>;
}

/** How one kind of task is answered: features make these, and the pool's threads are given all of them. */
export interface QueryHandler<Task extends QueryTask = never> {
  readonly kind: string;
  /** What the endpoint requires: decided again in the snapshot that answers. `undefined`: any caller. */
  readonly permission: SystemPermission | undefined;
  /** Runs before, outside of any snapshot, over as many turns as it takes. */
  readonly prepare?: (caller: Caller, task: Task) => Promise<void>;
  /**
   * The body of the answer, or an `AnswerWithHeaders`. It runs wholly in one snapshot, possibly more than once. If it
   * answers a function, that runs outside of the snapshot: for work that takes too long to hold one open.
   */
  readonly answer: (caller: Caller, task: Task) => unknown;
}
