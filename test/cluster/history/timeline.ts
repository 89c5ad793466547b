import type { Commit, Fact } from './history.ts';

/** The facts after each commit, replayed from an empty store. */
export class Timeline {
  readonly #commits: readonly Commit[];

  constructor(commits: readonly Commit[]) {
    this.#commits = commits.toSorted((a, b) => a.revision - b.revision);
  }

  /**
   * Calls `visit` once for each item, in the order of their revisions, with the facts as they were then. The set changes
   * afterwards.
   */
  visit<T>(
    items: readonly T[],
    revisionOf: (item: T) => number,
    visit: (item: T, facts: ReadonlySet<Fact>) => void,
  ): void {
    const facts = new Set<Fact>();
    let at = 0;
    for (const item of items.toSorted((a, b) => revisionOf(a) - revisionOf(b))) {
      for (; (this.#commits[at]?.revision ?? Number.POSITIVE_INFINITY) <= revisionOf(item); at++) {
        apply(facts, this.#commits[at] as Commit); // there is one: its revision was looked at
      }
      visit(item, facts);
    }
  }

  /** Whether `test` is true of the facts at some revision from `first` to `last`. */
  some(first: number, last: number, test: (facts: ReadonlySet<Fact>) => boolean): boolean {
    const between = this.#commits.map(({ revision }) => revision).filter((each) => each > first && each <= last);
    let isFound = false;
    this.visit(
      [first, ...between],
      (revision) => revision,
      (_, facts) => {
        isFound ||= test(facts);
      },
    );
    return isFound;
  }

  /** After the last commit. */
  facts(): ReadonlySet<Fact> {
    const facts = new Set<Fact>();
    for (const commit of this.#commits) apply(facts, commit);
    return facts;
  }
}

function apply(facts: Set<Fact>, { writes, deletes }: Commit): void {
  for (const fact of deletes) facts.delete(fact);
  for (const fact of writes) facts.add(fact);
}
