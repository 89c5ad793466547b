import type { Engine, OpenedSnapshots, Snapshot } from '#engine';
import { commit } from '../../../kernel/commits/index.ts';
import { platformStore } from '../../../kernel/organizations/index.ts';
import type { Clock, Log } from '../../../platform/index.ts';
import { cutPoint, type KnownNode, knownAfter } from './known-nodes.ts';
import { logRecordId, logRecords } from './log-record.ts';
import { isDue, SNAPSHOTS_KEPT, type SnapshotSchedule } from './schedule.ts';

export interface SnapshotKeeperDependencies {
  readonly open: () => Promise<OpenedSnapshots>;
  /** What it commits counts only while this node has the lease. */
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly schedule: SnapshotSchedule;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed?: () => number;
  /** The last message that is applied here. */
  readonly sequence: () => number;
  /** Folders of the data, and of a copy that is being sent. */
  readonly path: string;
  readonly drafts: string;
  /** Writes a copy of the data, of the same log, into a new folder. */
  readonly copy: (folder: string) => Promise<void>;
}

/** An upload to which nothing was added for so long is over: a piece is waited for by far less. */
const REMAINS_IDLE_MS = 10 * 60_000;
/** So many times as long as one took, none is begun: a copy costs the disk and the network of all. */
const REST = 4;

/** How often the nodes are asked how far they are. */
const ASKED_MS = 60_000;

/** Makes snapshots of the log on a schedule, removes old ones, and cuts the log behind them. Runs on the node that has the lease. */
export class SnapshotKeeper {
  readonly #dependencies: SnapshotKeeperDependencies;
  readonly #own: string;
  readonly #elapsed: () => number;
  readonly #ended = new AbortController();
  #opened: OpenedSnapshots | undefined;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #asksAt = Number.NEGATIVE_INFINITY;

  constructor(dependencies: SnapshotKeeperDependencies) {
    this.#dependencies = dependencies;
    this.#elapsed = dependencies.elapsed ?? (() => performance.now());
    this.#own = Buffer.from(dependencies.engine.logIdentity.id).toString('hex');
  }

  /** To be called often, one after the other. */
  async turn(): Promise<void> {
    if (this.#ended.signal.aborted) return;
    try {
      this.#opened ??= await this.#dependencies.open();
      await this.#keep(this.#opened);
    } catch (error) {
      await this.#disconnect();
      if (!this.#ended.signal.aborted) throw error;
    }
  }

  /** Gives up the snapshot that is being made. */
  async stop(): Promise<void> {
    this.#ended.abort(new Error('the snapshot is given up'));
    await this.#disconnect();
  }

  async #keep(opened: OpenedSnapshots): Promise<void> {
    const all = await opened.store.list();
    const own = all.filter(({ log }) => log === this.#own);
    const { sequence, clock, schedule } = this.#dependencies;
    const here = { sequence: sequence(), now: clock.now() };
    if (this.#elapsed() >= this.#restsUntil && isDue(own[0], here, schedule)) own.unshift(await this.#take(opened));
    const kept = own.slice(0, SNAPSHOTS_KEPT);
    if (kept.length === 0) return;
    const names = new Set(kept.map(({ name }) => name));
    for (const each of [...all, ...own]) if (!names.has(each.name)) await opened.store.remove(each);
    await opened.store.removeRemains(REMAINS_IDLE_MS);
    if (this.#elapsed() < this.#asksAt) return;
    const nodes = await this.#note(opened, kept[0] as Snapshot);
    await this.#cut(opened, cutPoint(kept, nodes, SNAPSHOTS_KEPT));
    this.#asksAt = this.#elapsed() + ASKED_MS;
  }

  async #take(opened: OpenedSnapshots): Promise<Snapshot> {
    const { path, drafts, copy, clock, log } = this.#dependencies;
    const since = this.#elapsed();
    const now = () => clock.now();
    const snapshot = await opened.take({ path, drafts, copy, now, signal: this.#ended.signal });
    const ms = this.#elapsed() - since;
    this.#restsUntil = this.#elapsed() + REST * ms;
    this.#asksAt = Number.NEGATIVE_INFINITY;
    const { sequence, bytes } = snapshot;
    log.info({ sequence, bytes, ms: Math.round(ms) }, 'a snapshot of the log was made');
    return snapshot;
  }

  /** For all nodes to tell of, and for the next one that keeps the snapshots. Answers the nodes that are known then. */
  async #note(opened: OpenedSnapshots, { sequence, bytes, time }: Snapshot): Promise<readonly KnownNode[]> {
    const { engine, clock, schedule } = this.#dependencies;
    const answered = await opened.nodes();
    return commit(engine, platformStore, (changes) => {
      const before = changes.get(logRecords, logRecordId)?.document.nodes ?? [];
      const nodes = knownAfter(before, answered, { now: clock.now(), absentMs: schedule.absentMs });
      changes.put(logRecords, logRecordId, { snapshot: { sequence, bytes, time }, nodes });
      return nodes;
    });
  }

  async #cut(opened: OpenedSnapshots, sequence: number): Promise<void> {
    // what is written by a fence that holds no more is refused, and a turn ends there
    if (sequence <= 1 || this.#ended.signal.aborted) return;
    await opened.cut(this.#own, sequence);
  }

  async #disconnect(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
  }
}
