import type { Store } from '#engine';
import { countsNow, getUser } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import {
  isLiveToken,
  liveSession,
  revokeToken,
  sessionBasis,
  type TokenEntry,
  tokenRecords,
} from '../../../identity/sessions/index.ts';
import { transactAs } from '../../../kernel/transactions/index.ts';
import { oauthError } from '../errors/index.ts';
import { idToken } from '../id-tokens/id-token.ts';
import {
  accessOf,
  type GrantText,
  grantText,
  issuedPart,
  issuer,
  readGrantText,
  signAccessToken,
  type TokenIssuance,
  tokenResponse,
} from '../tokens/index.ts';
import { grantedAudience } from './audience.ts';
import type { Grant, TokenRequest } from './grant.ts';
import { grantedScopes } from './requested-scopes.ts';

/** The one answer for every reason: whoever has found a refresh token learns nothing by trying it. */
const refusal = () => oauthError('invalid_grant', 'The refresh token is not valid.');

/**
 * A refresh token for the next (RFC 6749, 6; RFC 9700, 4.14.2). Each is good once. Whoever sends a used one either has
 * a copy or has lost one. The two cannot be told apart, so that the grant ends with all that it has issued. That also
 * holds where an answer was lost: the user agrees again.
 */
export const refreshToken: Grant = {
  type: 'refresh_token',
  async issue(dependencies, request) {
    const { organization, client, form } = request;
    const { store } = organization;
    if (form.refresh_token === undefined) throw oauthError('invalid_request', 'refresh_token is missing.');
    const presented = readGrantText(dependencies.sealer, organization, 'refresh', form.refresh_token);
    const found = presented && dependencies.engine.read(() => foundGrant(dependencies, request, presented));
    if (presented === undefined || found?.entry === undefined) throw refusal();
    const { document } = found.entry;
    const { scopes, userId, openId, actor } = document;
    const statement = {
      id: dependencies.audit.newId(),
      client,
      userId,
      scopes: narrowed(form.scope, scopes, client.document.scopes),
      audience: grantedAudience(dependencies, organization, client, request.resource, document.resources),
      dpopKey: request.proof?.jkt,
      actor,
      openId,
      lifetimeMs: found.lifetimeMs,
    };
    const renewing = renew(dependencies, request, presented, statement, found);
    // awaited below; where the signature fails, nobody awaits it
    renewing.catch(() => undefined);
    const text = await signAccessToken(dependencies, organization, statement);
    if (!(await renewing)) throw refusal();
    // whoever goes on in an application is there, also where no page is opened for hours
    if (document.sessionId !== undefined) dependencies.sessions.touch(store, document.sessionId);
    const next = { id: presented.id, generation: presented.generation + 1 };
    const response = tokenResponse(text, statement, grantText(dependencies.sealer, organization, 'refresh', next));
    if (userId === undefined || openId === undefined || !statement.scopes.includes('openid')) return response;
    // of the same sign-in, without its nonce (OpenID Connect Core, 12.2)
    const { nonce: _, sid, ...facts } = openId;
    const sessionId =
      document.sessionId ?? dependencies.engine.read(() => stillLive(store, sid, dependencies.clock.now()));
    const told = { client, userId, sessionId, openId: facts, accessToken: text };
    return { ...response, id_token: await idToken(dependencies, organization, told) };
  },
};

function stillLive(store: Store, sid: string | undefined, now: number): string | undefined {
  return sid === undefined ? undefined : liveSession(store, sid, now)?.id;
}

/** A grant as it stood at one revision. */
interface FoundGrant {
  readonly entry: TokenEntry | undefined;
  /** Lifetime of its access tokens: never longer than the grant goes on if nobody uses it again. */
  readonly lifetimeMs: number;
  /** How long each use extends the grant. */
  readonly idleMs: number;
  readonly revision: number;
}

function foundGrant(dependencies: TokenIssuance, request: TokenRequest, presented: GrantText): FoundGrant {
  const { store } = request.organization;
  const entry = ownGrant(dependencies, request, presented);
  const { accessTtl, refreshTtl } = readSettings(store).oauth;
  const idleMs = refreshTtl * 1000;
  const now = dependencies.clock.now();
  const left = (entry?.document.endsAt ?? now) - now;
  return { entry, lifetimeMs: Math.min(accessTtl * 1000, idleMs, left), idleMs, revision: store.revision() };
}

type Statement = Parameters<typeof accessOf>[0];

/** False where the token was used before: the grant has ended then. */
function renew(
  dependencies: TokenIssuance,
  request: TokenRequest,
  presented: GrantText,
  statement: Statement,
  found: FoundGrant,
): Promise<boolean> {
  const { organization, client, facts } = request;
  const { store } = organization;
  const by = issuer(client, statement.userId);
  return transactAs(dependencies, organization, by, facts, (transaction) => {
    const { now } = transaction;
    const { entry, idleMs } =
      store.revision() === found.revision ? found : foundGrant(dependencies, request, presented);
    if (entry === undefined) throw refusal();
    if (presented.generation !== entry.document.generation) {
      revokeToken(transaction, entry, 'reuse');
      return false;
    }
    const { sessionId, userId, endsAt = now } = entry.document;
    const session = sessionId === undefined ? [] : sessionBasis(store, { sessionId, userId }, now);
    if (session === undefined) throw refusal();
    const renewed = dependencies.tokens.renewal(store, entry, Math.min(endsAt, now + idleMs));
    const record = accessOf(statement, sessionId);
    Object.assign(record, { expiresAt: Math.min(record.expiresAt, renewed.token.document.expiresAt) });
    const access = dependencies.tokens.recordBy(store, renewed.token, record, statement.id);
    transaction.add(renewed);
    transaction.add({ changes: [access], preconditions: session });
    transaction.add(issuedPart(statement, { accessId: statement.id, grantId: entry.id }));
    return true;
  });
}

/** The grant behind a token, where it goes on and is of this client, which proves the key that it is bound to. */
function ownGrant(
  { clock }: TokenIssuance,
  { organization: { store }, client, proof }: TokenRequest,
  { id }: GrantText,
): TokenEntry | undefined {
  const entry = tokenRecords.get(store, id);
  if (entry === undefined) return undefined;
  const { clientId, jkt, userId } = entry.document;
  if (clientId !== client.id || (jkt !== undefined && jkt !== proof?.jkt)) return undefined;
  const user = userId === undefined ? undefined : getUser(store, userId);
  if (userId !== undefined && (user === undefined || !countsNow(user.document))) return undefined;
  return isLiveToken(store, entry.document, clock.now()) ? entry : undefined;
}

/**
 * What was granted and the client may still have; a request can only ask for less (RFC 6749, 6). Scopes that the client
 * may not have any more are left out here too: it still sends what it has sent before.
 */
function narrowed(requested: string | undefined, granted: readonly string[], allowed: readonly string[]): string[] {
  const scopes = grantedScopes(requested, granted);
  if (requested?.split(' ').some((scope) => allowed.includes(scope) && !granted.includes(scope))) {
    throw oauthError('invalid_scope', 'A refresh cannot ask for more than was granted.');
  }
  return scopes.filter((scope) => allowed.includes(scope));
}
