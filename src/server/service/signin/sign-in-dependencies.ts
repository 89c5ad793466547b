import type { UserDependencies } from '../../../directory/users/index.ts';
import type { Guesses } from '../../../identity/limits/index.ts';
import { SignIn, type SignInDependencies, signInSteps } from '../../../identity/signin/index.ts';
import type { FailureLog } from '../../../kernel/audit/index.ts';
import type { Background, Config, Log, Sealer } from '../../../platform/index.ts';
import type { ReaderDependencies } from '../../threads/open-reader.ts';
import type { SessionServices } from '../session-dependencies.ts';
import { mfaService } from './mfa-service.ts';

interface SignInBasis {
  readonly reader: ReaderDependencies;
  readonly people: UserDependencies;
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
  readonly dependencies: SignInDependencies;
  readonly signIn: SignIn;
}

export function signInService(basis: SignInBasis): SignInService {
  const { reader, people, sealer, log, background, signedIn, failures, guesses } = basis;
  const { sessions, lockout, attacks } = signedIn;
  const dependencies = {
    ...people,
    directory: reader.directory,
    sealer,
    log,
    background,
    sessions,
    lockout,
    attacks,
    failures,
    guesses,
    mfa: mfaService(basis),
  };
  return { dependencies, signIn: new SignIn(dependencies, signInSteps) };
}
