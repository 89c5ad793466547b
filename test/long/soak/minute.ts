import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Answers of one kind within one minute. */
export class Answers {
  readonly #millis: number[] = [];
  wrong = 0;

  add(millis: number, isRight: boolean): void {
    this.#millis.push(millis);
    if (!isRight) this.wrong++;
  }

  get count(): number {
    return this.#millis.length;
  }

  /** Milliseconds; `share` from 0 to 1. */
  at(share: number): number {
    const sorted = this.#millis.toSorted((one, other) => one - other);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }
}

export class Minute {
  readonly checks = new Answers();
  /** Answers that decide nothing: what this machine makes of any request just now. */
  readonly empty = new Answers();
  readonly writes = new Answers();
  readonly tokens = new Answers();

  summary(): MinuteSummary {
    const { checks, empty, writes, tokens } = this;
    return {
      counts: { checks: checks.count, writes: writes.count, tokens: tokens.count },
      wrong: checks.wrong + empty.wrong + writes.wrong + tokens.wrong,
      checks: { p50: checks.at(0.5), p99: checks.at(0.99) },
      empty: { p50: empty.at(0.5), p99: empty.at(0.99) },
    };
  }
}

/** Times in milliseconds. */
export interface MinuteSummary {
  readonly counts: { readonly checks: number; readonly writes: number; readonly tokens: number };
  readonly wrong: number;
  readonly checks: { readonly p50: number; readonly p99: number };
  readonly empty: { readonly p50: number; readonly p99: number };
}

export interface Footprint {
  /** Bytes of memory that are the process's own. */
  readonly memory: number;
  /** Bytes that the data file takes on disk. */
  readonly file: number;
}

export function footprint(pid: number, folder: string): Footprint {
  const kilobytes = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return { memory: Number(kilobytes) * 1024, file: statSync(join(folder, 'data/store/data.mdb')).blocks * 512 };
}
