import type { Store } from '#engine';
import { actors, countsNow, getUser, userActing } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import {
  type BegunToken,
  type OpenIdFacts,
  sessionBasis,
  type TokenGrant,
  takePart,
} from '../../../identity/sessions/index.ts';
import type { Actor, RequestFacts } from '../../../kernel/audit/index.ts';
import type { DataOf } from '../../../kernel/events/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { type OrganizationTransaction, type Part, transactAs } from '../../../kernel/transactions/index.ts';
import { timeOfId } from '../../../platform/index.ts';
import { type ClientEntry, subjectOfClient } from '../clients/index.ts';
import { oauthError } from '../errors/index.ts';
import {
  type AccessStatement,
  signAccessToken,
  type TokenIssuance,
  type TokenResponse,
  timesOf,
  tokenResponse,
} from './access-token.ts';
import { grantText } from './grant-text.ts';
import { tokenIssued } from './token-issued.ts';

/** What is to be issued, and what it depends on. */
export interface TokenOrder extends Omit<AccessStatement, 'id' | 'lifetimeMs'> {
  /** In which the user agreed, also where the tokens outlive it (`offline_access`). */
  readonly sessionId?: string | undefined;
  /** All that tokens may be asked for with this grant later (RFC 8707). */
  readonly resources?: readonly string[] | undefined;
  /** Whether the grant admits refresh tokens. One is issued where the client is registered for them. */
  readonly refreshes?: boolean | undefined;
  /** The issuer of the assertion that it is issued for: the token counts while that is believed. */
  readonly assertedBy?: string | undefined;
  /** The token that this one is exchanged for, and ends with. */
  readonly parentId?: string | undefined;
  /** Milliseconds; the organization's setting bounds it, too. */
  readonly lifetimeMaxMs?: number | undefined;
  /** Of the access token in milliseconds, where it is set for the client and not for the organization. */
  readonly lifetimeMs?: number | undefined;
}

interface IssuedIds {
  readonly accessId: string;
  /** Where there is a refresh token, too. */
  readonly grantId?: string;
}

/** A grant ends after this, however often it is used. */
const GRANT_MAX_MS = 90 * 86_400_000;

/**
 * Issues an access token, and a refresh token where the client is registered for them, in one commit with whatever goes
 * with it: that a code is spent, say. `also` happens in the same transaction, anew where another commit comes between,
 * and may throw. What is handed out is durable, and can be revoked.
 * @throws ProblemError `invalid_grant` where the session has ended
 */
export async function issueTokens(
  dependencies: TokenIssuance,
  organization: Organization,
  order: TokenOrder,
  facts: RequestFacts,
  also?: (transaction: OrganizationTransaction, ids: IssuedIds) => void,
): Promise<TokenResponse> {
  const { client, userId } = order;
  const { accessTtl, refreshTtl } = dependencies.engine.read(() => readSettings(organization.store)).oauth;
  const refreshes = order.refreshes === true && client.document.grantTypes.includes('refresh_token');
  const accessId = dependencies.audit.newId();
  const grantId = refreshes ? dependencies.audit.newId() : undefined;
  const ids: IssuedIds = grantId === undefined ? { accessId } : { accessId, grantId };
  const idleMs = Math.min(refreshTtl * 1000, GRANT_MAX_MS);
  const lifetimeMs =
    order.lifetimeMs ??
    Math.min(accessTtl * 1000, order.lifetimeMaxMs ?? GRANT_MAX_MS, refreshes ? idleMs : GRANT_MAX_MS);
  const statement = statementOf(order, accessId, lifetimeMs);
  const { assertedBy } = order;
  const plain = accessOf(statement, boundSession(order, refreshes), order.parentId);
  const access = assertedBy === undefined ? plain : { ...plain, assertedBy };
  const by = issuer(client, order.agency === undefined ? userId : undefined);
  const committed = transactAs(dependencies, organization, by, facts, (transaction) => {
    transaction.add(issuedPart(statement, ids));
    also?.(transaction, ids);
    relyOnPerson(transaction, order);
    const grant = grantId === undefined ? undefined : grantOf(order, grantId, idleMs);
    transaction.add(begunTokens(dependencies, transaction.store, ids, access, grant));
  });
  // awaited below; where the signature fails, nobody awaits it
  committed.catch(() => undefined);
  const text = await signAccessToken(dependencies, organization, statement);
  await committed;
  const refreshText =
    grantId === undefined
      ? undefined
      : grantText(dependencies.sealer, organization, 'refresh', { id: grantId, generation: 1 });
  return tokenResponse(text, statement, refreshText);
}

/** Named one by one: copies of an order have no shape in common. */
function statementOf(order: TokenOrder, id: string, lifetimeMs: number): AccessStatement {
  const { client, userId, scopes, audience, dpopKey, openId, actor, agency } = order;
  return { id, client, userId, scopes, audience, dpopKey, openId, actor, agency, lifetimeMs };
}

/** An access token alone, or with the grant that it is issued by. */
function begunTokens(
  { tokens }: TokenIssuance,
  store: Store,
  { accessId, grantId }: IssuedIds,
  access: TokenGrant,
  grant: TokenGrant | undefined,
): Pick<BegunToken, 'changes' | 'preconditions'> {
  if (grant === undefined) return tokens.record(store, access, accessId);
  const { token, changes, preconditions } = tokens.record(store, grant, grantId);
  return { changes: [...changes, tokens.recordBy(store, token, access, accessId)], preconditions };
}

/** The session that the tokens end with; none where the request wants them to outlive it. */
function boundSession({ sessionId, scopes }: TokenOrder, refreshes: boolean): string | undefined {
  return refreshes && scopes.includes('offline_access') ? undefined : sessionId;
}

function grantOf(order: TokenOrder, id: string, idleMs: number): TokenGrant {
  const { client, userId, scopes, resources, dpopKey, openId, actor } = order;
  const createdAt = timeOfId(id);
  const grant: Writable<TokenGrant> = {
    type: 'refresh',
    clientId: client.id,
    scopes,
    generation: 1,
    expiresAt: createdAt + idleMs,
    endsAt: createdAt + GRANT_MAX_MS,
  };
  const sessionId = boundSession(order, true);
  if (userId !== undefined) grant.userId = userId;
  if (sessionId !== undefined) grant.sessionId = sessionId;
  if (resources !== undefined) grant.resources = resources;
  // whoever proves by a secret or a key that it is the client needs no second proof (RFC 9449, 5)
  if (dpopKey !== undefined && client.document.type !== 'confidential') grant.jkt = dpopKey;
  if (openId !== undefined) grant.openId = { ...openId, ...freedFrom(order, sessionId) };
  if (actor !== undefined) grant.actor = actor;
  return grant;
}

/** ID tokens name the session as long as there is one: applications sign out by them. */
function freedFrom(order: TokenOrder, bound: string | undefined): Pick<OpenIdFacts, 'sid'> {
  return bound === undefined && order.sessionId !== undefined ? { sid: order.sessionId } : {};
}

/** The record of an access token. */
export function accessOf(statement: AccessStatement, sessionId: string | undefined, parentId?: string): TokenGrant {
  const { client, userId, scopes, audience, dpopKey, actor, agency, openId } = statement;
  const expiresAt = timesOf(statement).expiresAt * 1000;
  const access: Writable<TokenGrant> = { type: 'access', clientId: client.id, scopes, expiresAt };
  if (userId !== undefined) access.userId = userId;
  if (sessionId !== undefined) access.sessionId = sessionId;
  if (parentId !== undefined) access.parentId = parentId;
  if (audience !== undefined) access.audience = audience;
  if (dpopKey !== undefined) access.jkt = dpopKey;
  if (actor !== undefined) access.actor = actor;
  if (agency !== undefined) access.agency = agency;
  if (openId?.claims !== undefined) access.openId = openId;
  return access;
}

/** While it is made: a member that is absent is not there at all. */
type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * The user may still sign in and is signed in, and the client is on the list of the session's clients.
 * @throws ProblemError `invalid_grant`
 */
function relyOnPerson(transaction: OrganizationTransaction, { client, userId, sessionId }: TokenOrder): void {
  const { store, now } = transaction;
  if (userId === undefined) return;
  const user = getUser(store, userId);
  const basis = sessionId === undefined ? [] : sessionBasis(store, { sessionId, userId }, now);
  if (user === undefined || !countsNow(user.document) || basis === undefined) {
    throw oauthError('invalid_grant', 'The session has ended.');
  }
  transaction.expect(basis);
  if (sessionId !== undefined) transaction.change(takePart(store, { sessionId, userId, clientId: client.id }));
}

/** Who is told of as the one who asked. */
export function issuer(client: ClientEntry, userId: string | undefined): Actor {
  return userId === undefined ? actors.audited(subjectOfClient(client)) : userActing(userId);
}

/** What the log and those who subscribe are told of an access token. */
export function issuedPart(
  { client, userId, scopes, actor, agency }: AccessStatement,
  { accessId, grantId }: IssuedIds,
): Part {
  const data: Writable<DataOf<typeof tokenIssued>> = {
    tokenId: accessId,
    type: 'access',
    clientId: client.id,
    userId: userId ?? null,
    scopes,
  };
  if (grantId !== undefined) data.grantId = grantId;
  if (actor !== undefined) data.actor = actor.subject;
  return {
    entries: [
      {
        eventType: 'token.issued',
        action: 'token.issue',
        targetType: 'token',
        targetId: accessId,
        metadata: agency === undefined ? data : { ...data, [agency.kind]: agency.id },
      },
    ],
    events: [tokenIssued.of(data)],
  };
}
