import type { UserDependencies } from '../../directory/users/index.ts';
import type { FailureLog } from '../../kernel/audit/index.ts';
import type { Background, Log, Sealer } from '../../platform/index.ts';
import type { Attacks, Guesses, Lockout } from '../limits/index.ts';
import type { Mfa } from '../mfa/index.ts';
import type { PageDependencies } from '../pages/index.ts';
import type { Sessions } from '../sessions/index.ts';

/** What sign-in works with. */
export interface SignInDependencies extends UserDependencies, PageDependencies {
  readonly sealer: Sealer;
  readonly sessions: Sessions;
  readonly lockout: Lockout;
  readonly attacks: Attacks;
  readonly failures: FailureLog;
  readonly guesses: Guesses;
  readonly log: Log;
  readonly background: Background;
  readonly mfa: Mfa;
}
