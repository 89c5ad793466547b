/** What Vitest's JSON reporter says of a file. */
export interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly startTime: number;
  readonly endTime: number;
}

/**
 * Which test files run first, so that a change is noticed soon: those that noticed most changes in the same source file,
 * then those that noticed most in any, then the quick ones.
 */
export class TestOrder {
  readonly #noticed = new Map<string, Map<string, number>>();
  readonly #durations = new Map<string, number>();

  learn(changed: string, results: readonly FileResult[]): void {
    const noticed = this.#noticed.get(changed) ?? new Map<string, number>();
    this.#noticed.set(changed, noticed);
    for (const { name, status, startTime, endTime } of results) {
      if (status === 'failed') noticed.set(name, (noticed.get(name) ?? 0) + 1);
      // a run that ended early says nothing of the others
      else if (changed === '') this.#durations.set(name, endTime - startTime);
    }
  }

  /** Test files, the most promising first. */
  of(changed: string): string[] {
    const own = this.#noticed.get(changed);
    const rank = (name: string): number[] => [
      -(own?.get(name) ?? 0),
      -[...this.#noticed.values()].reduce((sum, each) => sum + (each.get(name) ?? 0), 0),
      this.#durations.get(name) ?? 0,
    ];
    return [...this.#durations.keys()].sort((a, b) => {
      const [left, right] = [rank(a), rank(b)];
      return left.map((each, i) => each - (right[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
    });
  }
}
