/** Changes that no test can notice, because they change nothing that can be seen; each with the reason. */
export interface Equivalent {
  readonly file: string;
  /** The text that is changed, and what it becomes. */
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

export const equivalents: readonly Equivalent[] = [];
