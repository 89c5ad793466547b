import type { SignIn, SignInDependencies } from '../../../identity/signin/index.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';

/** What authorization works with. */
export interface AuthorizationDependencies extends ProtocolDependencies {
  readonly signIn: SignIn;
  /** For the pages. */
  readonly visits: SignInDependencies;
}
