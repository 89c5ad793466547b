import type { Store } from '#engine';
import { type DeliveryEntry, deliveryCollection, getDelivery } from './delivery-record.ts';

const AT_ONCE_MAX = 32;
/** Clients that do not answer hold up themselves alone, and their organization no other. */
const OF_STORE_MAX = 16;
const OF_CLIENT_MAX = 8;
const CLIENTS_MAX = 10_000;
/** Of one client, looked at for one that is due: what waits for another attempt may stand before it. */
const AHEAD = 64;

/** What is being sent, and what may be sent next. */
export class DeliverySlots {
  readonly #underWay = new Map<string, Promise<void>>();
  /** How many are under way, by store, and by store and client. */
  readonly #counts = new Map<string, number>();

  /** Deliveries that are due and for which there is a place. To be called inside `Engine.read`. */
  take(store: Store, now: number): DeliveryEntry[] {
    const index = store.recordIndex(deliveryCollection);
    const taken: DeliveryEntry[] = [];
    const places = Math.min(AT_ONCE_MAX - this.#underWay.size, OF_STORE_MAX - this.#countOf(store.name));
    for (const clientId of index.keys('client', { limit: CLIENTS_MAX })) {
      let free = OF_CLIENT_MAX - this.#countOf(`${store.name} ${clientId}`);
      for (const id of free > 0 ? index.ids('client', clientId, { limit: AHEAD }) : []) {
        if (taken.length >= places) return taken;
        if (free === 0) break;
        const entry = this.#underWay.has(`${store.name} ${id}`) ? undefined : getDelivery(store, id);
        if (entry === undefined || now < entry.document.dueAt) continue;
        taken.push(entry);
        free--;
      }
    }
    return taken;
  }

  /** Until the attempt, which never rejects, has ended. */
  occupy({ name }: Store, { id, document: { clientId } }: DeliveryEntry, attempt: Promise<void>): void {
    const owners = [name, `${name} ${clientId}`];
    for (const owner of owners) this.#counts.set(owner, this.#countOf(owner) + 1);
    const ended = attempt.then(() => {
      this.#underWay.delete(`${name} ${id}`);
      for (const owner of owners) this.#release(owner);
    });
    this.#underWay.set(`${name} ${id}`, ended);
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
