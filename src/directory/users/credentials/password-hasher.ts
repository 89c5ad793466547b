import { hash, verify } from '@node-rs/argon2';
import type { Engine } from '#engine';
import { ProblemError, problem } from '../../../http/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { credentialRecords } from './credentials.ts';

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

/** Of a random text that nobody has kept, by the parameters of every other one. */
const decoy = '$argon2id$v=19$m=19456,t=2,p=1$Ev//LwsEUY7ktbSWOq5NhA$HG31F1NaxBDRQVdJN3sJHomt3OS1TNGzwGLIONy8p4o';

/** Whether this is the user's password. It takes as long where there is no such user, or none with a password. */
export async function checkPassword(
  { engine, hasher }: { readonly engine: Engine; readonly hasher: PasswordHasher },
  { store }: Organization,
  userId: string | undefined,
  password: string,
): Promise<boolean> {
  const hash = engine.read(() =>
    userId === undefined ? undefined : credentialRecords.get(store, userId)?.document.hash,
  );
  const isRight = await hasher.verify(hash ?? decoy, password);
  return hash !== undefined && isRight;
}
