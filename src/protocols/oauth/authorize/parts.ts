import type { SignIn, SignInParts } from '../../../identity/signin/index.ts';
import type { ProtocolParts } from '../protocol/parts.ts';

/** What authorization works with. */
export interface AuthorizationParts extends ProtocolParts {
  readonly signIn: SignIn;
  /** For the pages. */
  readonly visits: SignInParts;
}
