export interface FairQueueLimits {
  /** Tasks that run at a time. */
  readonly running: number;
  /** Most of one party, so that the others always find room if more than one may run. */
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
 * Tasks of several parties, of which a few may run at a time. The parties take turns (round robin), so that however many tasks
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

  /** Runs a task when it is its turn; answers at once if it is not accepted. @param task which throws by its promise alone */
  run<T>(name: string, task: () => Promise<T>): Promise<T> | Refused {
    const party = this.#parties.get(name) ?? { tasks: [], running: 0 };
    if (this.#running < this.#limits.running && party.running < this.#limits.runningOfOne) {
      this.#parties.set(name, party);
      return this.#start(name, party, task);
    }
    if (party.tasks.length >= this.#limits.waitingOfOne) return 'own';
    if (this.#waiting >= this.#limits.waiting) return 'all';
    this.#parties.set(name, party);
    this.#waiting++;
    return new Promise<T>((resolve) => {
      party.tasks.push(() => resolve(this.#start(name, party, task)));
    });
  }

  #start<T>(name: string, party: Party, task: () => Promise<T>): Promise<T> {
    this.#running++;
    party.running++;
    const result = task();
    const done = () => this.#done(name, party);
    result.then(done, done);
    return result;
  }

  #begin(): void {
    for (const party of this.#parties.values()) {
      if (this.#waiting === 0 || this.#running >= this.#limits.running) return;
      if (party.running >= this.#limits.runningOfOne) continue;
      const next = party.tasks.shift();
      if (next === undefined) continue;
      this.#waiting--;
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

/** Why, for whoever asked. @param things what the tasks are called @param ownMax of one party */
export function refusalText(refused: Refused, things: string, ownMax: number): string {
  return refused === 'all'
    ? `Too many ${things} are waiting.`
    : `The organization has ${ownMax} ${things} waiting, which is the limit.`;
}
