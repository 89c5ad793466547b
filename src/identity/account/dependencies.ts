import type { Federation } from '../federation/index.ts';
import type { SignIn, SignInDependencies } from '../signin/index.ts';

/** What the account pages of one thread work with. */
export interface AccountDependencies extends SignInDependencies {
  readonly signIn: SignIn;
  readonly federation: Federation;
}
