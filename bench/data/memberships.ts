import type { Forest } from './tree.ts';

/**
 * Who is a member of which group, worked out without the engine: a user's groups, and every group above one of them.
 * `members[i]` is the user in place `i % perGroup` of group `floor(i / perGroup)`.
 */
export class Memberships {
  readonly #forest: Forest;
  readonly #starts: Uint32Array;
  readonly #groups: Uint32Array;
  /** The turn in which each group was last marked. */
  readonly #marks: Uint32Array;
  #turn = 0;

  constructor(forest: Forest, members: Int32Array, perGroup: number, users: number) {
    this.#forest = forest;
    this.#starts = new Uint32Array(users + 1);
    for (const user of members) (this.#starts[user + 1] as number)++;
    for (let user = 0; user < users; user++) this.#starts[user + 1] = this.#start(user) + this.#start(user + 1);
    this.#groups = new Uint32Array(members.length);
    const next = this.#starts.slice();
    members.forEach((user, place) => {
      const at = next[user] as number;
      this.#groups[at] = Math.floor(place / perGroup);
      next[user] = at + 1;
    });
    this.#marks = new Uint32Array(forest.nodes);
  }

  /** Prepares `has` for a user. */
  mark(user: number): void {
    const turn = ++this.#turn;
    for (let at = this.#start(user); at < this.#start(user + 1); at++) {
      let group = this.#groups[at] as number;
      while (group >= 0 && this.#marks[group] !== turn) {
        this.#marks[group] = turn;
        group = this.#forest.parent(group);
      }
    }
  }

  /** Is the user who was marked last a member of the group? */
  has(group: number): boolean {
    return this.#marks[group] === this.#turn;
  }

  #start(user: number): number {
    return this.#starts[user] as number;
  }
}
