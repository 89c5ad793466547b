import type { UserParts } from '../../../directory/users/index.ts';
import type { Guesses } from '../../../identity/limits/index.ts';
import { SignIn, type SignInParts, signInSteps } from '../../../identity/signin/index.ts';
import type { FailureLog } from '../../../kernel/audit/index.ts';
import type { Background, Config, Log, Sealer } from '../../../platform/index.ts';
import type { ReaderParts } from '../../threads/open-reader.ts';
import type { SessionServices } from '../session-parts.ts';
import { mfaService } from './mfa-service.ts';

interface SignInBasis {
  readonly reader: ReaderParts;
  readonly people: UserParts;
  readonly config: Config;
  readonly sealer: Sealer;
  readonly log: Log;
  readonly background: Background;
  readonly signedIn: SessionServices;
  readonly failures: FailureLog;
  readonly guesses: Guesses;
}

/** Sign-in of one thread, and what its pages work with. */
export interface SignInService {
  readonly parts: SignInParts;
  readonly signIn: SignIn;
}

export function signInService(basis: SignInBasis): SignInService {
  const { reader, people, sealer, log, background, signedIn, failures, guesses } = basis;
  const { sessions, lockout } = signedIn;
  const parts = {
    ...people,
    directory: reader.directory,
    sealer,
    log,
    background,
    sessions,
    lockout,
    failures,
    guesses,
    mfa: mfaService(basis),
  };
  return { parts, signIn: new SignIn(parts, signInSteps) };
}
