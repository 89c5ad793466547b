import { createHash } from 'node:crypto';
import { randomText } from '../../../platform/index.ts';

const SALT_LENGTH = 16;

export interface StateOf {
  readonly clientId: string;
  /** Where the authorization response goes. */
  readonly redirectUri: string;
  /** Of the session; `''` where nobody is signed in. */
  readonly opState: string;
}

/**
 * `session_state` of an authorization response (OpenID Connect Session Management 1.0, 2): what the page in the client's
 * frame works out again. `undefined` for an application whose redirect URI has no web origin: it has no frames.
 */
export function sessionState({ clientId, redirectUri, opState }: StateOf): string | undefined {
  const { origin } = new URL(redirectUri);
  if (origin === 'null') return undefined;
  const salt = randomText(SALT_LENGTH);
  const hash = createHash('sha256').update(`${clientId} ${origin} ${opState} ${salt}`).digest('base64url');
  return `${hash}.${salt}`;
}
