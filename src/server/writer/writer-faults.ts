import { BoundedMap, type Fault } from '#engine';
import type { Counter, Log, MetricDefinition } from '../../platform/index.ts';

/**
 * A full disk fails every batch. So of equal faults only one line is logged in this time, with the number of the
 * others.
 */
const GAP_MS = 10_000;
const KINDS_MAX = 100;

export const writerMetrics: readonly MetricDefinition[] = [
  {
    kind: 'counter',
    name: 'relata_writer_faults_total',
    help: 'Errors of the writer that no caller caused: a full disk, damage, a bug. The log has the causes.',
  },
];

interface Told {
  readonly at: number;
  withheld: number;
}

/** Logs and counts the errors of the writer's thread, which has neither a log nor metrics. */
export class WriterFaults {
  readonly #log: Log;
  readonly #told = new BoundedMap<string, Told>(KINDS_MAX);
  #counter: Counter | undefined;
  #uncounted = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** The writer starts before there are metrics. */
  countBy(counter: Counter): void {
    this.#counter = counter;
    counter.add(this.#uncounted);
  }

  note({ reach, commands, name, message, stack, code }: Fault): void {
    if (this.#counter === undefined) this.#uncounted++;
    this.#counter?.add();
    const kind = `${reach} ${name} ${code} ${message.slice(0, 200)}`;
    const now = performance.now();
    const told = this.#told.get(kind);
    if (told !== undefined && now - told.at < GAP_MS) {
      told.withheld++;
      return;
    }
    this.#told.set(kind, { at: now, withheld: 0 });
    const error = { type: name, message, stack, ...(code === undefined ? {} : { code }) };
    this.#log.error({ error, reach, commands, withheld: told?.withheld ?? 0 }, 'the writer failed');
  }
}
