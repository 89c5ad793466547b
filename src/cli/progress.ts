import type { Output } from './terminal.ts';

const REDRAW_MS = 100;
const LINE_MS = 5_000;
const BAR_CELLS = 24;

export interface ProgressOptions {
  readonly label: string;
  readonly unit: string;
  /** In bytes, as is what `update` is told of them. Absent where the end is not known. */
  readonly total?: number | undefined;
  readonly clock?: () => number;
}

/**
 * How far long work has come: a bar that is redrawn on a terminal, a line now and then elsewhere, so that a log file
 * stays readable. Nothing at all for work that ends before the first line is due.
 */
export class Progress {
  readonly #output: Output;
  readonly #options: ProgressOptions;
  readonly #clock: () => number;
  readonly #startedAt: number;
  #shownAt: number;
  #done = 0;
  #count = 0;
  /** Where this run began, when it continues another. */
  #base = 0;
  #isDrawn = false;

  constructor(output: Output, options: ProgressOptions) {
    this.#output = output;
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    this.#startedAt = this.#clock();
    this.#shownAt = this.#startedAt;
  }

  get seconds(): number {
    return Math.max(this.#clock() - this.#startedAt, 1) / 1000;
  }

  /** Bytes that an earlier run has done: they count for the share, and not for the rate. */
  startAt(done: number): void {
    this.#base = done;
    this.#done = done;
  }

  /** `done` in bytes, `count` in units. */
  update(done: number, count: number): void {
    this.#done = done;
    this.#count = count;
    const isDue = this.#clock() - this.#shownAt >= (this.#output.isTTY ? REDRAW_MS : LINE_MS);
    if (isDue) this.#show();
  }

  /** Says what goes on where numbers stand still for a while; on a terminal alone. */
  phase(text: string): void {
    if (this.#output.isTTY) this.#draw(`${this.#options.label}: ${text}`);
  }

  /** Leaves the line free for what comes next. */
  end(): void {
    if (this.#isDrawn) this.#output.write('\r\u001b[K');
    this.#isDrawn = false;
  }

  #show(): void {
    this.#shownAt = this.#clock();
    if (this.#output.isTTY) this.#draw(this.#text(true));
    else this.#output.write(`${this.#text(false)}\n`);
  }

  #draw(text: string): void {
    this.#isDrawn = true;
    this.#output.write(`\r${text.slice(0, (this.#output.columns ?? 80) - 1)}\u001b[K`);
  }

  #text(withBar: boolean): string {
    const { label, unit, total } = this.#options;
    const rate = `${grouped(this.#count)} ${unit}, ${grouped(this.#count / this.seconds)}/s`;
    if (total === undefined || total === 0) return `${label}: ${rate}`;
    const share = Math.min(this.#done / total, 1);
    const cells = Math.round(share * BAR_CELLS);
    const bar = withBar ? `[${'#'.repeat(cells)}${'.'.repeat(BAR_CELLS - cells)}] ` : '';
    return `${label}: ${bar}${(share * 100).toFixed(1)} %, ${rate}${this.#left(total)}`;
  }

  #left(total: number): string {
    const done = this.#done - this.#base;
    if (done <= 0) return '';
    return `, ${duration(((total - this.#done) / done) * this.seconds)} left`;
  }
}

/** `1234567.8` becomes `1,234,568`. */
export function grouped(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

/** `1 tuple`, `2,000 tuples`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Seconds as `9 s`, `4:07 min` or `2:15 h`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${String(whole % 60).padStart(2, '0')} min`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`;
}
