import type { SignIn, SignInDependencies } from '../signin/index.ts';
import type { Upstreams } from './upstreams/upstream-types.ts';

/** What signing in through providers works with: one for each thread. */
export interface FederationDependencies extends SignInDependencies {
  readonly signIn: SignIn;
  readonly upstreams: Upstreams;
}
