/** Requests at once: in all, and of one organization. */
export interface SlotBounds {
  readonly total: number;
  readonly ofOne: number;
}

interface Waiting {
  readonly isSlow: boolean;
  readonly resolve: () => void;
}

interface Held {
  all: number;
  slow: number;
  readonly waiting: Waiting[];
}

/**
 * Who may make a request now. Organizations that wait take turns. Subscriptions whose receiver did not answer in time get
 * half of the places at most, so that many of them delay nobody else.
 */
export class SendSlots {
  readonly #bounds: SlotBounds;
  readonly #held = new Map<string, Held>();
  #all = 0;
  #slow = 0;

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds;
  }

  get underWay(): number {
    return this.#all;
  }

  /** Resolves when there is a place, with what gives it back. */
  async take(organization: string, isSlow: boolean): Promise<() => void> {
    const held = this.#held.get(organization) ?? { all: 0, slow: 0, waiting: [] };
    this.#held.set(organization, held);
    if (this.#hasPlace(held, isSlow)) this.#occupy(held, isSlow);
    else await new Promise<void>((resolve) => held.waiting.push({ isSlow, resolve }));
    return () => this.#release(organization, held, isSlow);
  }

  #hasPlace(held: Held, isSlow: boolean): boolean {
    const { total, ofOne } = this.#bounds;
    if (this.#all >= total || held.all >= ofOne) return false;
    return !isSlow || (this.#slow < total / 2 && held.slow < ofOne / 2);
  }

  #occupy(held: Held, isSlow: boolean): void {
    this.#all++;
    held.all++;
    if (!isSlow) return;
    this.#slow++;
    held.slow++;
  }

  #release(organization: string, held: Held, isSlow: boolean): void {
    this.#all--;
    held.all--;
    if (isSlow) {
      this.#slow--;
      held.slow--;
    }
    if (held.all === 0 && held.waiting.length === 0) this.#held.delete(organization);
    for (const [name, next] of this.#held) {
      if (this.#all >= this.#bounds.total) return;
      if (next.waiting.length > 0 && this.#serve(next)) this.#goBehind(name, next);
    }
  }

  #serve(held: Held): boolean {
    const place = held.waiting.findIndex(({ isSlow }) => this.#hasPlace(held, isSlow));
    const [first] = place < 0 ? [] : held.waiting.splice(place, 1);
    if (first === undefined) return false;
    this.#occupy(held, first.isSlow);
    first.resolve();
    return true;
  }

  #goBehind(name: string, held: Held): void {
    this.#held.delete(name);
    this.#held.set(name, held);
  }
}
