import type { Line } from '../report/line.ts';

/** What a suite reports to while it runs. */
export interface Bench {
  /** Tiny sizes that show that everything works; no number means anything. */
  readonly isSmoke: boolean;
  line(line: Line): void;
  /** A word on what is being done, for whoever waits. */
  note(text: string): void;
}

/** Benchmarks that belong together because they use one data set. Each suite runs in a process of its own. */
export interface Suite {
  readonly name: string;
  /** For `--list`. */
  readonly about: string;
  /** Left out where `--size` asks for another one. */
  readonly size?: '1m' | '10m';
  run(bench: Bench): Promise<void>;
}

/** The targets are about the real sizes. */
export function unlessSmoke<T>(bench: Bench, target: T): T | undefined {
  return bench.isSmoke ? undefined : target;
}
