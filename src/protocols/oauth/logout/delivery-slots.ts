import type { Store } from '#engine';
import { type SetAside, Setbacks } from '../../../platform/index.ts';
import { type DeliveryEntry, deliveryRecords } from './delivery-record.ts';

const AT_ONCE_MAX = 32;
/** Clients that do not answer hold up only themselves, and an organization no other. */
const OF_STORE_MAX = 16;
const OF_CLIENT_MAX = 8;
const CLIENTS_MAX = 10_000;
/** Deliveries of one client that are searched for a due one: waiting ones may stand before it. */
const AHEAD = 64;

/** A delivery that could not even be tried, for example without the client's record, waits in memory. */
const SETBACK = { gapMs: 5_000, maxMs: 600_000 };

/** What is being sent, and what may be sent next. */
export class DeliverySlots {
  readonly #underWay = new Map<string, Promise<void>>();
  /** How many are under way, by store, and by store and client. */
  readonly #counts = new Map<string, number>();
  readonly #setbacks = new Setbacks(SETBACK.gapMs, SETBACK.maxMs);

  /** Deliveries that are due and for which a slot is free. To be called inside `Engine.read`. */
  take(store: Store, now: number, aside: SetAside): DeliveryEntry[] {
    const index = deliveryRecords.index(store);
    const taken: DeliveryEntry[] = [];
    const slots = Math.min(AT_ONCE_MAX - this.#underWay.size, OF_STORE_MAX - this.#countOf(store.name));
    for (const clientId of index.keys('client', { limit: CLIENTS_MAX })) {
      let free = OF_CLIENT_MAX - this.#countOf(`${store.name} ${clientId}`);
      for (const id of free > 0 ? index.ids('client', clientId, { limit: AHEAD + aside.size }) : []) {
        if (taken.length >= slots) return taken;
        if (free === 0) break;
        const key = `${store.name} ${id}`;
        if (this.#underWay.has(key) || !this.#setbacks.mayTry(key, now)) continue;
        const entry = aside.attempt(deliveryRecords.collection, id, () => dueDelivery(store, id, now));
        if (entry === undefined) continue;
        taken.push(entry);
        free--;
      }
    }
    return taken;
  }

  /**
   * Holds the slot until the attempt has ended. The attempt never rejects, and answers whether it could be made at the
   * time `now`.
   */
  occupy(
    { name }: Store,
    { id, document: { clientId } }: DeliveryEntry,
    attempt: Promise<boolean>,
    now: () => number,
  ): void {
    const owners = [name, `${name} ${clientId}`];
    for (const owner of owners) this.#counts.set(owner, this.#countOf(owner) + 1);
    const key = `${name} ${id}`;
    const ended = attempt.then((isMade) => {
      if (isMade) this.#setbacks.succeeded(key);
      else this.#setbacks.failed(key, now());
      this.#underWay.delete(key);
      for (const owner of owners) this.#release(owner);
    });
    this.#underWay.set(key, ended);
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values());
  }

  #countOf(owner: string): number {
    return this.#counts.get(owner) ?? 0;
  }

  #release(owner: string): void {
    const left = this.#countOf(owner) - 1;
    if (left === 0) this.#counts.delete(owner);
    else this.#counts.set(owner, left);
  }
}

function dueDelivery(store: Store, id: string, now: number): DeliveryEntry | undefined {
  const entry = deliveryRecords.get(store, id);
  return entry !== undefined && now >= entry.document.dueAt ? entry : undefined;
}
