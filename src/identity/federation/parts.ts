import type { SignIn, SignInParts } from '../signin/index.ts';
import type { Upstreams } from './upstreams/upstream-types.ts';

/** What signing in through providers works with: one for each thread. */
export interface FederationParts extends SignInParts {
  readonly signIn: SignIn;
  readonly upstreams: Upstreams;
}
