import type { Federation } from '../federation/index.ts';
import type { SignIn, SignInParts } from '../signin/index.ts';

/** What the account pages of one thread work with. */
export interface AccountParts extends SignInParts {
  readonly signIn: SignIn;
  readonly federation: Federation;
}
