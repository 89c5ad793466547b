import { type Engine, type OpenedSnapshots, OWN_FORMATS, type Snapshot } from '#engine';
import { commit } from '../../../kernel/commits/index.ts';
import { platformStore } from '../../../kernel/organizations/index.ts';
import type { Clock, Log } from '../../../platform/index.ts';
import { agreedFormats, cutPoint, knownAfter } from './known-nodes.ts';
import { type KnownNode, logRecordId, logRecords } from './log-record.ts';
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
  /** Of the data, and so of a snapshot. */
  readonly storeFormat?: number;
}

/** An upload to which nothing was added for so long is over: a piece is waited for by far less. */
const REMAINS_IDLE_MS = 10 * 60_000;
/** So many times as long as one took, none is begun: a copy costs the disk and the network of all. */
const REST = 4;

const PROBLEM_MAX = 500;

/** How often the nodes are asked how far they are. */
const ASKED_MS = 15_000;

/** Makes snapshots of the log on a schedule, removes old ones, and cuts the log behind them. Runs on the node that has the lease. */
export class SnapshotKeeper {
  readonly #dependencies: SnapshotKeeperDependencies;
  readonly #own: string;
  readonly #elapsed: () => number;
  readonly #ended = new AbortController();
  #opened: OpenedSnapshots | undefined;
  #restsUntil = Number.NEGATIVE_INFINITY;
  #asksAt = Number.NEGATIVE_INFINITY;
  #nodes: readonly KnownNode[] = [];
  #isWaiting = false;
  #problem: string | undefined;

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
    const isAsked = this.#elapsed() >= this.#asksAt;
    if (isAsked) await this.#note(opened, own[0]);
    const mayTake = this.#elapsed() >= this.#restsUntil && isDue(own[0], here, schedule) && this.#isReadByAll();
    if (mayTake) {
      own.unshift(await this.#takeOrTell(opened, own[0]));
      await this.#note(opened, own[0]);
    }
    const kept = own.slice(0, SNAPSHOTS_KEPT);
    if (kept.length === 0) return;
    const names = new Set(kept.map(({ name }) => name));
    for (const each of [...all, ...own]) if (!names.has(each.name)) await opened.store.remove(each);
    await opened.store.removeRemains(REMAINS_IDLE_MS);
    if (isAsked || mayTake) await this.#cut(opened, kept, cutPoint(kept, this.#nodes, SNAPSHOTS_KEPT));
  }

  /** While a node is there that could not start from a snapshot of this one, none is made. */
  #isReadByAll(): boolean {
    const { storeFormat = OWN_FORMATS.store, log } = this.#dependencies;
    const { store } = agreedFormats(this.#nodes);
    const wasWaiting = this.#isWaiting;
    this.#isWaiting = store < storeFormat;
    const facts = { format: storeFormat, read: store };
    if (this.#isWaiting && !wasWaiting)
      log.warn(facts, 'no snapshot is made while nodes of an older version are there');
    return !this.#isWaiting;
  }

  /** The lease stays here: without space for a copy, this node still does all other work. So every node tells of it. */
  async #takeOrTell(opened: OpenedSnapshots, newest: Snapshot | undefined): Promise<Snapshot> {
    try {
      const snapshot = await this.#take(opened);
      this.#problem = undefined;
      return snapshot;
    } catch (error) {
      if (this.#ended.signal.aborted) throw error;
      const problem = (error instanceof Error ? error.message : String(error)).slice(0, PROBLEM_MAX);
      if (this.#problem !== problem) {
        this.#problem = problem;
        await this.#note(opened, newest);
      }
      throw error;
    }
  }

  async #take(opened: OpenedSnapshots): Promise<Snapshot> {
    const { path, drafts, copy, clock, log } = this.#dependencies;
    const since = this.#elapsed();
    const now = () => clock.now();
    const snapshot = await opened.take({ path, drafts, copy, now, signal: this.#ended.signal });
    const ms = this.#elapsed() - since;
    this.#restsUntil = this.#elapsed() + REST * ms;
    const { sequence, bytes } = snapshot;
    log.info({ sequence, bytes, ms: Math.round(ms) }, 'a snapshot of the log was made');
    return snapshot;
  }

  /** For all nodes, which write by it what all of them read, and for the next one that keeps the snapshots. */
  async #note(opened: OpenedSnapshots, newest: Snapshot | undefined): Promise<void> {
    const { engine, clock, schedule } = this.#dependencies;
    const answered = await opened.nodes();
    const told = {
      ...(newest && { snapshot: { sequence: newest.sequence, bytes: newest.bytes, time: newest.time } }),
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    };
    this.#nodes = await commit(engine, platformStore, (changes) => {
      const before = changes.get(logRecords, logRecordId)?.document.nodes ?? [];
      const nodes = knownAfter(before, answered, { now: clock.now(), absentMs: schedule.absentMs });
      changes.put(logRecords, logRecordId, { ...told, nodes });
      return nodes;
    });
    this.#asksAt = this.#elapsed() + ASKED_MS;
  }

  async #cut(opened: OpenedSnapshots, kept: readonly Snapshot[], sequence: number): Promise<void> {
    // what is written by a fence that holds no more is refused, and a turn ends there
    if (sequence <= 1 || this.#ended.signal.aborted) return;
    // what the others need is known at snapshots alone
    const last = kept.find((each) => each.sequence <= sequence);
    await opened.cut(this.#own, sequence, last?.beside);
  }

  async #disconnect(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
  }
}
