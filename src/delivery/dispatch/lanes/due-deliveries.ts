import { BoundedMap } from '#engine';
import { commit } from '../../../kernel/commits/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { SetAside } from '../../../platform/index.ts';
import { type DeliveryEntry, deliveryRecords, dueKey, dueOf } from '../records/delivery-record.ts';
import { readAside } from '../records/read-aside.ts';
import { type Lane, type LaneDependencies, resultOf } from './lane.ts';

type DueDependencies = Pick<LaneDependencies, 'engine' | 'clock' | 'background' | 'attempts' | 'results' | 'onGone'>;

/** Deliveries of one organization that are looked at in one turn. */
const LOOKED_AT_MAX = 200;
/** Of one subscription, under way at once. Others go as these end. */
const OF_ONE_MAX = 8;
/** An attempt whose result could not be put on record is not made again before. */
const UNRECORDED_MS = 60_000;
const UNRECORDED_MAX = 10_000;

/** Second attempts and those that follow, of one organization, and deliveries that are to be sent once more. */
export class DueDeliveries {
  readonly #dependencies: DueDependencies;
  readonly #organization: Organization;
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #aside: SetAside;
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** How many are under way, by subscription. */
  readonly #counts = new Map<string, number>();
  /** When an attempt was made that is not on record, by the id and version of its delivery. */
  readonly #unrecorded = new BoundedMap<string, number>(UNRECORDED_MAX);
  #isStopped = false;

  constructor(
    dependencies: DueDependencies,
    organization: Organization,
    lanes: ReadonlyMap<string, Lane>,
    aside: SetAside,
  ) {
    this.#dependencies = dependencies;
    this.#organization = organization;
    this.#lanes = lanes;
    this.#aside = aside;
  }

  /** Begins what is due. Answers whether anything waits for its time, or is under way. */
  look(): boolean {
    const { engine } = this.#dependencies;
    const { store } = this.#organization;
    const limit = LOOKED_AT_MAX + this.#underWay.size + this.#aside.size;
    const isFull = this.#begin('due', limit) === limit;
    // what is due to one subscription may stand before what is due to others
    if (isFull) for (const key of this.#lanes.keys()) this.#fill(key);
    const isWaiting = engine.read(
      () => deliveryRecords.index(store).idsBelow('due', FAR, 1 + this.#aside.size).length > this.#aside.size,
    );
    return isWaiting || this.#underWay.size > 0;
  }

  /** Begins nothing more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  /** Begins what is due to one subscription, as far as it has room. */
  #fill(key: string): void {
    const lane = this.#lanes.get(key);
    if (lane === undefined || !this.#hasRoom(key) || !this.#dependencies.attempts.isLive(lane.subscription)) return;
    this.#begin(dueOf(key), OF_ONE_MAX + this.#countOf(key) + this.#aside.size);
  }

  /** Begins what stands first in an index and has room. Answers how many it has found, whatever became of them. */
  #begin(index: string, limit: number): number {
    if (this.#isStopped) return 0;
    const { engine, clock } = this.#dependencies;
    const { store } = this.#organization;
    const { ids, due } = engine.read(() => {
      const found = deliveryRecords.index(store).idsBelow(index, dueKey(clock.now() + 1), limit);
      const others = found.filter((id) => !this.#underWay.has(id));
      return { ids: found, due: others.flatMap((id) => readAside(this.#aside, deliveryRecords, store, id) ?? []) };
    });
    for (const entry of due) {
      if (!this.#lanes.has(entry.document.subscription)) this.#run(entry, () => this.#giveUp(entry));
      else if (this.#hasRoom(entry.document.subscription) && !this.#isUnrecorded(entry)) {
        this.#run(entry, () => this.#attempt(entry));
      }
    }
    return ids.length;
  }

  /** Whether its receiver may get one more now. */
  #hasRoom(key: string): boolean {
    const lane = this.#lanes.get(key);
    const { clock } = this.#dependencies;
    return lane !== undefined && clock.now() >= lane.pausedUntil && this.#countOf(key) < OF_ONE_MAX;
  }

  #countOf(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  #isUnrecorded(entry: DeliveryEntry): boolean {
    const at = this.#unrecorded.get(nameOf(entry));
    return at !== undefined && Math.abs(this.#dependencies.clock.now() - at) < UNRECORDED_MS;
  }

  #run({ id, document: { subscription: key } }: DeliveryEntry, task: () => Promise<unknown>): void {
    this.#counts.set(key, this.#countOf(key) + 1);
    const { background } = this.#dependencies;
    let isMade: unknown;
    const running = background
      .run('deliveries', async () => {
        isMade = await task();
      })
      .finally(() => {
        this.#underWay.delete(id);
        const left = this.#countOf(key) - 1;
        if (left === 0) this.#counts.delete(key);
        else this.#counts.set(key, left);
        if (isMade === true) void background.run('deliveries', () => this.#fill(key));
      });
    this.#underWay.set(id, running);
  }

  /** Answers whether it was made, and is on record. */
  async #attempt(entry: DeliveryEntry): Promise<boolean> {
    const { attempts, results, engine, clock, onGone } = this.#dependencies;
    const { id, document, version } = entry;
    const lane = this.#lanes.get(document.subscription);
    if (lane === undefined) return false;
    const { subscription } = lane;
    const after = await attempts.make(subscription, { id, document, isSlow: lane.isSlow });
    // another look finds it once more, with the subscription as it is then
    if (after === undefined) return false;
    lane.isSlow = after.isLate;
    if (after.pausedUntil !== undefined) lane.pausedUntil = after.pausedUntil;
    await results.add(this.#organization, {
      subscription,
      delivery: { id, version, document: after.delivery },
      ...resultOf(after),
    });
    if (after.isGone) onGone(subscription);
    const isRecorded = engine.read(
      () => !attempts.isLive(subscription) || deliveryRecords.get(this.#organization.store, id)?.version !== version,
    );
    if (!isRecorded) this.#unrecorded.set(nameOf(entry), clock.now());
    return isRecorded && !after.isGone;
  }

  /** Nobody gets it: the subscription is gone, and has no state any more, or it is switched off. */
  async #giveUp({ id, document, version }: DeliveryEntry): Promise<void> {
    const { dueAt: _, ...kept } = document;
    await commit(this.#dependencies.engine, this.#organization.store, (changes) => {
      // meanwhile it was removed, or is to be sent once more: another look finds it
      if (changes.isUnchanged(deliveryRecords, { id, version }))
        changes.put(deliveryRecords, id, { ...kept, status: 'failed' });
    });
  }
}

function nameOf({ id, version }: DeliveryEntry): string {
  return `${id} ${version}`;
}

/** After every time that a record can have. */
const FAR = '9'.repeat(17);
