import { randomUUID } from 'node:crypto';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Change, PortLog, type Tuple } from '#engine';

export interface CommitterSettings {
  readonly port: MessagePort;
  readonly store: string;
  /** Each is written by one commit and deleted by a later one. */
  readonly tuples: readonly Tuple[];
  readonly commitsPerSecond: number;
}

export interface CommitterReport {
  readonly commits: number;
  readonly seconds: number;
}

type TupleChange = Extract<Change, { op: 'write_tuples' | 'delete_tuples' }>;

/** What is written stays for so many commits before it is deleted again. */
const STAY = 64;
const TICK_MS = 2;

/** Commits at a steady rate, whatever the time of a single commit, until its parent says stop. */
class Committer {
  readonly #settings: CommitterSettings;
  readonly #log: PortLog;
  #sent = 0;
  #failed: unknown;
  readonly #written: Tuple[] = [];

  constructor(settings: CommitterSettings) {
    this.#settings = settings;
    this.#log = new PortLog(settings.port);
  }

  async run(stopped: () => boolean): Promise<CommitterReport> {
    const startedAt = performance.now();
    const { commitsPerSecond } = this.#settings;
    while (!stopped()) {
      const due = ((performance.now() - startedAt) / 1000) * commitsPerSecond;
      while (this.#sent < due) this.#commit(this.#next());
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
    const report = { commits: this.#sent - this.#log.pending, seconds: (performance.now() - startedAt) / 1000 };
    while (this.#written.length > 0) this.#commit(this.#deleteOldest());
    await this.#log.close();
    if (this.#failed !== undefined) throw this.#failed;
    return report;
  }

  #next(): TupleChange {
    const { tuples, store } = this.#settings;
    if (this.#written.length >= STAY && this.#sent % 2 === 1) return this.#deleteOldest();
    const tuple = tuples[this.#sent % tuples.length] as Tuple;
    this.#written.push(tuple);
    return { op: 'write_tuples', store, tuples: [tuple] };
  }

  #deleteOldest(): TupleChange {
    return { op: 'delete_tuples', store: this.#settings.store, tuples: [this.#written.shift() as Tuple] };
  }

  #commit(change: TupleChange): void {
    this.#sent++;
    this.#log.submit({ id: randomUUID(), time: Date.now(), changes: [change] }).catch((error: unknown) => {
      this.#failed ??= error;
    });
  }
}

if (parentPort !== null) {
  const parent = parentPort;
  let isStopped = false;
  parent.once('message', () => {
    isStopped = true;
  });
  const report = await new Committer(workerData as CommitterSettings).run(() => isStopped);
  parent.postMessage(report);
  parent.close();
}
