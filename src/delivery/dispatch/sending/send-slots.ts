/** Requests at once: in all, and of one organization. */
export interface SlotBounds {
  readonly total: number;
  readonly ofOne: number;
}

type Pace = 'quick' | 'slow';

interface Waiting {
  /** In the order of all who ever waited. */
  readonly number: number;
  readonly resolve: () => void;
}

interface Held {
  all: number;
  slow: number;
  readonly waiting: { readonly [Of in Pace]: Waiting[] };
}

/**
 * Who may make a request now. Organizations that wait take turns. None holds more slots than it leaves free (dynamic
 * thresholds, as switches share a buffer: Choudhury and Hahne, 1998): those that want all they can get come to hold equal
 * shares, and leave one more free, so that the next finds a slot. Subscriptions whose receiver did not answer in time
 * get half of the slots at most.
 */
export class SendSlots {
  readonly #bounds: SlotBounds;
  readonly #held = new Map<string, Held>();
  /** Organizations with somebody who waits; the one whose turn is next comes first. */
  readonly #waiting = new Set<string>();
  #all = 0;
  #slow = 0;
  #waited = 0;

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds;
  }

  get underWay(): number {
    return this.#all;
  }

  /** Resolves when a slot is free, with a function that gives it back. */
  async take(organization: string, isSlow: boolean): Promise<() => void> {
    const held = this.#held.get(organization) ?? { all: 0, slow: 0, waiting: { quick: [], slow: [] } };
    this.#held.set(organization, held);
    const pace = isSlow ? 'slow' : 'quick';
    if (this.#hasSlot(held, pace)) this.#occupy(held, pace);
    else {
      this.#waiting.add(organization);
      await new Promise<void>((resolve) => held.waiting[pace].push({ number: ++this.#waited, resolve }));
    }
    return () => this.#release(organization, held, pace);
  }

  #hasSlot(held: Held, pace: Pace): boolean {
    const { total, ofOne } = this.#bounds;
    if (held.all >= Math.min(ofOne, total - this.#all)) return false;
    return pace === 'quick' || (this.#slow < total / 2 && held.slow < ofOne / 2);
  }

  #occupy(held: Held, pace: Pace): void {
    this.#all++;
    held.all++;
    if (pace === 'quick') return;
    this.#slow++;
    held.slow++;
  }

  #release(organization: string, held: Held, pace: Pace): void {
    this.#all--;
    held.all--;
    if (pace === 'slow') {
      this.#slow--;
      held.slow--;
    }
    if (held.all === 0 && !isWaitedFor(held)) this.#held.delete(organization);
    // whoever is served goes behind the others, and is asked again after them
    for (const name of this.#waiting) {
      if (this.#all >= this.#bounds.total) return;
      const next = this.#held.get(name);
      if (next === undefined || !this.#serve(next)) continue;
      this.#waiting.delete(name);
      if (isWaitedFor(next)) this.#waiting.add(name);
    }
  }

  /** Whoever has waited longest, of those for whom a slot is free. */
  #serve(held: Held): boolean {
    const { quick, slow } = held.waiting;
    const isSlowFirst = (slow[0]?.number ?? Number.POSITIVE_INFINITY) < (quick[0]?.number ?? Number.POSITIVE_INFINITY);
    for (const pace of isSlowFirst ? slowFirst : quickFirst) {
      if (held.waiting[pace].length === 0 || !this.#hasSlot(held, pace)) continue;
      this.#occupy(held, pace);
      held.waiting[pace].shift()?.resolve();
      return true;
    }
    return false;
  }
}

const slowFirst = ['slow', 'quick'] as const;
const quickFirst = ['quick', 'slow'] as const;

function isWaitedFor({ waiting: { quick, slow } }: Held): boolean {
  return quick.length > 0 || slow.length > 0;
}
