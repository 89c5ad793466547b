import type { Store } from '#engine';
import type { AuthorizationRequest } from '../authorize/request/authorization-request.ts';
import { scopeOfClaim } from '../claims/index.ts';
import { type ClientEntry, comesByItself, optionOf } from '../clients/index.ts';
import { getConsent } from './consents.ts';

interface SignedIn {
  readonly userId: string;
  readonly sessionId: string;
}

/** All that a request asks of the user: its scopes, and those that claims of its own belong to. */
export function askedScopes({ scopes, claims }: Pick<AuthorizationRequest, 'scopes' | 'claims'>): string[] {
  const ofClaims = [...(claims?.userinfo ?? []), ...(claims?.idToken ?? [])].flatMap(
    (name) => scopeOfClaim(name) ?? [],
  );
  return [...new Set([...scopes, ...ofClaims])];
}

/** Whether the user has to agree, or to agree again. To be called inside a snapshot. */
export function needsConsent(
  store: Store,
  client: ClientEntry,
  request: AuthorizationRequest,
  { userId, sessionId }: SignedIn,
): boolean {
  if (request.prompts.includes('consent')) return true;
  if (!isKnownForSure(client, request.redirectUri)) return true;
  if (optionOf(client.document, 'skipConsent')) return false;
  const consent = getConsent(store, { userId, clientId: client.id })?.document;
  if (consent === undefined) return true;
  // nobody knows a client that came by itself: a consent to it does not outlast the session
  if (comesByItself(client.document) && consent.sessionId !== sessionId) return true;
  return !askedScopes(request).every((scope) => consent.scopes.includes(scope));
}

/**
 * Whether a consent counts for the next request. Not for a public client at a loopback address or a scheme of its own:
 * every application can take these, and a public client proves nothing about who it is (RFC 8252, 8.6).
 */
function isKnownForSure({ document }: ClientEntry, redirectUri: string): boolean {
  return document.type === 'confidential' || redirectUri.startsWith('https://');
}
