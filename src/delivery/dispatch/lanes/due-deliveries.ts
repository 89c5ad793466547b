import { type Engine, EngineError } from '#engine';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type Background, type Clock, SetAside } from '../../../platform/index.ts';
import { type DeliveryEntry, deliveryRecords } from '../records/delivery-record.ts';
import type { Result } from '../results/result.ts';
import type { Results } from '../results/results.ts';
import type { Attempts } from '../sending/attempts.ts';
import type { Subscription } from '../served.ts';
import { type Lane, resultOf } from './lane.ts';

export interface DueDependencies {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly background: Background;
  readonly attempts: Attempts;
  readonly results: Pick<Results, 'add'>;
  readonly onGone: (subscription: Subscription) => void;
}

/** Deliveries of one organization that are looked at in one turn. */
const LOOKED_AT_MAX = 200;
/** Of one subscription, under way at once. */
const OF_ONE_MAX = 8;
/** What finds no place waits so long, so that it does not stand before what is due of others. */
const PUT_OFF_MS = 30_000;

/** Second attempts and those that follow, of one organization, and deliveries that are to be sent once more. */
export class DueDeliveries {
  readonly #dependencies: DueDependencies;
  readonly #organization: Organization;
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #aside: SetAside;
  readonly #underWay = new Map<string, Promise<unknown>>();
  /** How many are under way, by subscription. */
  readonly #counts = new Map<string, number>();

  constructor(dependencies: DueDependencies, organization: Organization, lanes: ReadonlyMap<string, Lane>) {
    this.#dependencies = dependencies;
    this.#organization = organization;
    this.#lanes = lanes;
    this.#aside = new SetAside(dependencies.background, 'deliveries', organization.store.name);
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  /** Begins what is due. Answers whether anything waits for its time, or is under way. */
  look(): boolean {
    const { engine, clock, background } = this.#dependencies;
    const now = clock.now();
    const { store } = this.#organization;
    const limit = LOOKED_AT_MAX + this.#underWay.size + this.#aside.size;
    const { due, isWaiting } = engine.read(() => ({
      due: deliveryRecords
        .index(store)
        .idsBelow('due', dueKey(now + 1), limit)
        .filter((id) => !this.#underWay.has(id))
        .map((id) => this.#aside.attempt(deliveryRecords.collection, id, () => deliveryRecords.get(store, id)))
        .filter((entry) => entry !== undefined),
      isWaiting: deliveryRecords.index(store).idsBelow('due', FAR, 1 + this.#aside.size).length > this.#aside.size,
    }));
    for (const entry of due) {
      const { subscription } = entry.document;
      this.#counts.set(subscription, this.#countOf(subscription) + 1);
      const attempt = background
        .run('deliveries', () => this.#handle(entry, now))
        .finally(() => {
          this.#underWay.delete(entry.id);
          const left = this.#countOf(subscription) - 1;
          if (left === 0) this.#counts.delete(subscription);
          else this.#counts.set(subscription, left);
        });
      this.#underWay.set(entry.id, attempt);
    }
    return isWaiting || this.#underWay.size > 0;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  #countOf(subscription: string): number {
    return this.#counts.get(subscription) ?? 0;
  }

  async #handle(entry: DeliveryEntry, now: number): Promise<void> {
    const lane = this.#lanes.get(entry.document.subscription);
    if (lane === undefined) return await this.#giveUp(entry);
    if (now < lane.pausedUntil) return await this.#putOff(lane, entry, lane.pausedUntil);
    if (this.#countOf(entry.document.subscription) > OF_ONE_MAX) {
      return await this.#putOff(lane, entry, now + PUT_OFF_MS);
    }
    await this.#attempt(lane, entry);
  }

  async #attempt(lane: Lane, { id, document, version }: DeliveryEntry): Promise<void> {
    const { attempts, onGone } = this.#dependencies;
    const { subscription } = lane;
    const after = await attempts.make(subscription, { id, document, isSlow: lane.isSlow });
    // another look finds it once more, with the subscription as it is then
    if (after === undefined) return;
    lane.isSlow = after.isLate;
    if (after.pausedUntil !== undefined) lane.pausedUntil = after.pausedUntil;
    await this.#record({ subscription, delivery: { id, version, document: after.delivery }, ...resultOf(after) });
    if (after.isGone) onGone(subscription);
  }

  /** Nobody gets it: the subscription is gone, and has no state any more, or it is switched off. */
  async #giveUp({ id, document, version }: DeliveryEntry): Promise<void> {
    const { engine } = this.#dependencies;
    const { store } = this.#organization;
    const { dueAt: _, ...kept } = document;
    const change = deliveryRecords.put(store, id, { ...kept, status: 'failed' });
    try {
      const unchanged = deliveryRecords.same(store, { id, version });
      await engine.submit(engine.command([change], { preconditions: [unchanged] }));
    } catch (error) {
      // meanwhile it was removed, or is to be sent once more: another look finds it
      if (!(error instanceof EngineError && error.code === 'precondition_failed')) throw error;
    }
  }

  #putOff({ subscription }: Lane, { id, document, version }: DeliveryEntry, dueAt: number): Promise<void> {
    return this.#record({ subscription, delivery: { id, version, document: { ...document, dueAt } } });
  }

  #record(result: Result): Promise<void> {
    return this.#dependencies.results.add(this.#organization, result);
  }
}

/** After every time that a record can have. */
const FAR = '9'.repeat(17);

function dueKey(time: number): string {
  return String(time).padStart(16, '0');
}
