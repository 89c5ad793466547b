import { problem } from '../../http/index.ts';
import { failureOf } from '../../kernel/queries/index.ts';

export interface FairQueueLimits {
  /** Tasks that run at a time. */
  readonly running: number;
  /** Most of one party, so that the others always find room if there is more than one place. */
  readonly runningOfOne: number;
  readonly waiting: number;
  readonly waitingOfOne: number;
}

interface Party {
  readonly tasks: (() => void)[];
  running: number;
}

/** Why a task was not taken: too many of its own party wait, or too many of all. */
export type Refused = 'own' | 'all';

/**
 * Tasks of several parties that wait for a few places. The parties take turns (round robin), so that however many tasks
 * a party has waiting, it delays another party by one task each turn.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Parties that have tasks, in the order of their turns. */
  readonly #parties = new Map<string, Party>();
  #running = 0;
  #waiting = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Runs a task when it is its turn; answers at once if it is not accepted. */
  run<T>(name: string, task: () => Promise<T>): Promise<T> | Refused {
    const party = this.#parties.get(name) ?? { tasks: [], running: 0 };
    if (party.tasks.length >= this.#limits.waitingOfOne) return 'own';
    if (this.#waiting >= this.#limits.waiting) return 'all';
    this.#parties.set(name, party);
    this.#waiting++;
    const result = new Promise<T>((resolve, reject) => {
      party.tasks.push(() => {
        task()
          .finally(() => this.#done(name, party))
          .then(resolve, reject);
      });
    });
    this.#begin();
    return result;
  }

  #begin(): void {
    for (const party of this.#parties.values()) {
      if (this.#running >= this.#limits.running) return;
      if (party.running >= this.#limits.runningOfOne) continue;
      const next = party.tasks.shift();
      if (next === undefined) continue;
      this.#waiting--;
      this.#running++;
      party.running++;
      next();
    }
  }

  #done(name: string, party: Party): void {
    this.#running--;
    party.running--;
    // its next turn comes after those of all parties that came meanwhile
    this.#parties.delete(name);
    if (party.running > 0 || party.tasks.length > 0) this.#parties.set(name, party);
    this.#begin();
  }
}

export function unavailable(detail: string, retryAfterS: number) {
  return failureOf(problem('unavailable', detail, { headers: { 'retry-after': String(retryAfterS) } }));
}

/** What is answered where a queue has not taken something. @param things what they are called @param ownMax of one organization */
export function notTaken(refused: Refused, things: string, ownMax: number, retryAfterS: number) {
  const detail =
    refused === 'all'
      ? `Too many ${things} are waiting.`
      : `The organization has ${ownMax} ${things} waiting, which is the limit.`;
  return unavailable(detail, retryAfterS);
}
