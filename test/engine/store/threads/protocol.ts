/**
 * Each user moves to and fro between two groups of its own, so that the pair of lists that contradict each other when
 * they are of two revisions is one of many, and one of the two is often in a small cache while the other is not.
 */
export const USERS = 64;

/** Places in the shared array: set by the test after the answer to a write, read by the others before their next read. */
export const CELLS = {
  stop: 0,
  /** How many users the group `all` has: `user:n1` to `user:n<count>`. */
  joined: 1,
  /** From here on, one for each user: how often its move from group to group was acknowledged. */
  moves: 2,
} as const;

export const MODEL = {
  dsl: `model
  schema 1.1
type user
type group
  relations
    define member: [user]
type doc
  relations
    define one: [group#member]
    define two: [group#member]
    define either: one or two
    define both: one and two
    define neither: [user] but not either
`,
};

/** What a thread is started with. */
export interface ReaderSettings {
  readonly path: string;
  readonly shared: { readonly names: SharedArrayBuffer; readonly announced: SharedArrayBuffer };
  readonly cells: ArrayBufferLike;
  readonly users: number;
  readonly seed: number;
}

/** What it answers at the end. */
export interface ReaderReport {
  /** Times that it looked whether two groups exclude each other. */
  readonly looks: number;
  /** Reads right after an acknowledgement. */
  readonly visits: number;
  /** Different revisions among those that it asked for. */
  readonly revisions: number;
  /** The first few of what must not be, in words. */
  readonly violations: readonly string[];
}
