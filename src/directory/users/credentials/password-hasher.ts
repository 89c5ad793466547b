import { hash, verify } from '@node-rs/argon2';
import { ProblemError, problem } from '../../../http/index.ts';

/** Of argon2id (RFC 9106), the library's default: 19 MiB and two passes, as OWASP's guidance on passwords has it. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** What waits beyond this is refused, where nothing else is said: at some 15 ms each, the last one waits for a second. */
const WAITING_MAX = 64;

/**
 * Hashes passwords off the event loop, one at a time in each thread: a hash takes a core for milliseconds, and many at
 * once would leave none for decisions.
 */
export class PasswordHasher {
  readonly #waitingMax: number;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(waitingMax = WAITING_MAX) {
    this.#waitingMax = waitingMax;
  }

  /** @throws ProblemError 429 where too many wait */
  hash(password: string): Promise<string> {
    return this.#queued(() => hash(normalised(password), parameters));
  }

  verify(stored: string, password: string): Promise<boolean> {
    return this.#queued(() => verify(stored, normalised(password)));
  }

  #queued<T>(task: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#waitingMax) {
      throw new ProblemError(
        problem('rate_limited', 'Too many passwords are being set or checked.', { headers: { 'retry-after': '1' } }),
      );
    }
    this.#waiting++;
    const turn = this.#last.then(task).finally(() => {
      this.#waiting--;
    });
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** One password typed on two systems is one password (RFC 8265, 4.2). */
function normalised(password: string): string {
  return password.normalize('NFC');
}
