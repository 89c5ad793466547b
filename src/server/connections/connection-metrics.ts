import type { ClosedConnections } from '../../http/index.ts';
import type { Log, MetricDefinition, Metrics } from '../../platform/index.ts';

export const connectionMetrics: readonly MetricDefinition[] = [
  { kind: 'gauge', name: 'process_open_fds', help: 'Open files and sockets of the process.', across: 'max' },
  { kind: 'gauge', name: 'process_max_fds', help: 'Limit of open files and sockets of the process.', across: 'max' },
  {
    kind: 'counter',
    name: 'relata_connections_closed_total',
    help: 'Connections closed because there were too many: idle ones, and new ones when none was idle.',
    labels: ['reason'],
    series: [['idle'], ['refused'], ['address']],
  },
  {
    kind: 'counter',
    name: 'relata_connections_room_made_total',
    help: 'How often a thread was told to make room for connections because too many files were open.',
  },
];

/** Counts the connections that one thread closes; `tell` logs those since it was last called. */
export class ClosedTally {
  readonly counters: ClosedConnections;
  readonly #log: Log;
  #since = { idle: 0, refused: 0, address: 0 };

  constructor(metrics: Metrics, log: Log) {
    this.#log = log;
    const counted = (reason: keyof ClosedConnections) => {
      const counter = metrics.counter('relata_connections_closed_total', reason);
      return {
        add: (amount = 1) => {
          this.#since[reason] += amount;
          counter.add(amount);
        },
      };
    };
    this.counters = { idle: counted('idle'), refused: counted('refused'), address: counted('address') };
  }

  tell(): void {
    const { idle, refused, address } = this.#since;
    if (idle + refused + address === 0) return;
    this.#since = { idle: 0, refused: 0, address: 0 };
    this.#log.warn({ idle, refused, address }, 'too many connections: some were closed');
  }
}
