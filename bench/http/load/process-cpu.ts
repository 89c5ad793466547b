import { readFileSync } from 'node:fs';

/** Kernel ticks in a second, which Linux fixes for what it tells processes. */
const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 100;

interface Sample {
  readonly at: number;
  readonly seconds: number;
}

/** Watches how much of a core a process uses. */
export class ProcessCpu {
  readonly #pid: number;
  readonly #samples: Sample[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  /** Cores in use, on average over the last seconds that it was seen; then it is watched no more. */
  stop(lastSeconds: number): number {
    clearInterval(this.#timer);
    const last = this.#samples.at(-1);
    const first = this.#samples.find(({ at }) => last !== undefined && last.at - at <= lastSeconds);
    if (first === undefined || last === undefined || first === last) return Number.NaN;
    return (last.seconds - first.seconds) / (last.at - first.at);
  }

  #sample(): void {
    const seconds = cpuSecondsOf(this.#pid);
    if (Number.isNaN(seconds)) return clearInterval(this.#timer); // it has ended
    this.#samples.push({ at: performance.now() / 1000, seconds });
  }
}

/** User and system time of all threads of a process (proc(5), /proc/pid/stat, fields 14 and 15); NaN once it has ended. */
export function cpuSecondsOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; field 3 follows it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}
