import type { Store } from '#engine';
import { actors } from '../../../../directory/records/index.ts';
import { readSettings } from '../../../../directory/settings/index.ts';
import { ProblemError, problem } from '../../../../http/index.ts';
import { type Actor, diff, type RequestFacts } from '../../../../kernel/audit/index.ts';
import type { Organization } from '../../../../kernel/organizations/index.ts';
import { afterCommit, transactAs } from '../../../../kernel/transactions/index.ts';
import { digestOf, equalDigests } from '../../../../platform/index.ts';
import { oauthError } from '../../errors/index.ts';
import {
  addClient,
  clientAuditEvent,
  clientTelling,
  removeClient,
  withoutIdleSecret,
} from '../records/client-changes.ts';
import {
  type ClientRecord,
  clientRecords,
  clientSubject,
  givingWay,
  hasSecret,
  type RegisteredClient,
  stateOf,
} from '../records/client-record.ts';
import type { ClientDependencies } from '../records/metadata-rules.ts';
import { mintSecret } from '../records/mint-secret.ts';
import { isOpenScope } from './open-scopes.ts';
import { readMetadata } from './registered-metadata.ts';

export interface Registered {
  /** As it stands after the commit. */
  readonly entry: RegisteredClient;
  /** Where one was made with this request. */
  readonly secret: string | undefined;
  readonly accessToken: string;
}

/** Dynamic registration (RFC 7591), where the organization's settings admit it. */
export async function register(
  dependencies: ClientDependencies,
  organization: Organization,
  facts: RequestFacts,
  body: unknown,
): Promise<Registered> {
  const { store } = organization;
  const id = dependencies.audit.newId();
  const access = mintSecret();
  const minted = mintSecret();
  const secret = await transactAs(dependencies, organization, actorOf(id), facts, (transaction) => {
    const { now } = transaction;
    requireOpen(store);
    const metadata = judged(dependencies, store, body);
    const leaving = givingWay(store, 'dynamic', now);
    if (leaving === 'full') {
      throw new ProblemError(problem('forbidden', 'No more clients can register themselves in this organization.'));
    }
    const isSecret = hasSecret(metadata);
    const document: ClientRecord = {
      ...metadata,
      kind: 'dynamic',
      isActive: true,
      ...(isSecret ? { secretDigest: minted.digest } : {}),
      registrationDigest: access.digest,
      createdAt: now,
      updatedAt: now,
    };
    addClient(transaction, { id, version: 1, document }, leaving);
    return isSecret ? minted.secret : undefined;
  });
  return { entry: kept(dependencies, organization, id), secret, accessToken: access.secret };
}

/** Replaces what a client said of itself (RFC 7592, 2.2): what is not sent is removed. */
export async function replaceRegistration(
  dependencies: ClientDependencies,
  organization: Organization,
  facts: RequestFacts,
  { id, accessToken }: Claim,
  body: Readonly<Record<string, unknown>>,
): Promise<Registered> {
  const { store } = organization;
  const secret = await transactAs(dependencies, organization, actorOf(id), facts, (transaction) => {
    const entry = transaction.rely(clientRecords, requireOwn(store, { id, accessToken }));
    requireSame(entry, body);
    const metadata = judged(dependencies, store, body);
    // a client that had none needs one where its method asks for it
    const fresh = hasSecret(metadata) && entry.document.secretDigest === undefined ? mintSecret() : undefined;
    const changed: ClientRecord = withoutIdleSecret({
      ...stateOf(entry.document),
      ...metadata,
      ...(fresh === undefined ? {} : { secretDigest: fresh.digest }),
    });
    const changes = diff(entry.document, changed, clientTelling.hidden);
    const next: RegisteredClient = { ...entry, document: { ...changed, updatedAt: transaction.now } };
    if (Object.keys(changes).length === 0) return fresh?.secret;
    transaction.put(clientRecords, id, next.document);
    transaction.audit(clientAuditEvent('update', next, { changes }));
    return fresh?.secret;
  });
  return { entry: kept(dependencies, organization, id), secret, accessToken };
}

export function endRegistration(
  dependencies: ClientDependencies,
  organization: Organization,
  facts: RequestFacts,
  claim: Claim,
): Promise<void> {
  return transactAs(dependencies, organization, actorOf(claim.id), facts, (transaction) =>
    removeClient(transaction, requireOwn(transaction.store, claim), 'withdrawn'),
  );
}

function kept(dependencies: ClientDependencies, { store }: Organization, id: string): RegisteredClient {
  return afterCommit(dependencies, clientRecords, store, id, (entry) => entry);
}

/** A client, and the registration access token that shows it to be its own. */
export interface Claim {
  readonly id: string;
  readonly accessToken: string;
}

/** Compared with where there is no such client, so that the time tells nothing. */
const noDigest = digestOf('');

/**
 * To be called inside a snapshot.
 * @throws ProblemError 401, the same whether or not there is such a client
 */
export function requireOwn(store: Store, { id, accessToken }: Claim): RegisteredClient {
  const entry = clientRecords.get(store, id);
  const digest = entry?.document.registrationDigest;
  const isOwn = equalDigests(digestOf(accessToken), digest ?? noDigest);
  if (entry !== undefined && digest !== undefined && isOwn && entry.document.isActive) return entry;
  throw invalidAccessToken();
}

export function invalidAccessToken() {
  return oauthError('invalid_token', 'The registration access token is not valid.', {
    'www-authenticate': 'Bearer realm="relata", error="invalid_token"',
  });
}

function requireOpen(store: Store): void {
  if (!readSettings(store).oauth.dynamicRegistration) {
    throw new ProblemError(problem('forbidden', 'Clients cannot register themselves in this organization.'));
  }
}

function judged({ outbound }: ClientDependencies, store: Store, body: unknown) {
  return readMetadata(body, outbound, (name) => isOpenScope(store, name));
}

/** `client_id` must be the client's, and a secret, where one is sent, the one that it has. */
function requireSame({ id, document }: RegisteredClient, body: Readonly<Record<string, unknown>>): void {
  if (body.client_id !== id) throw oauthError('invalid_request', 'client_id does not match the authenticated client.');
  const { client_secret: secret } = body;
  if (secret === undefined) return;
  const isSame = typeof secret === 'string' && equalDigests(digestOf(secret), document.secretDigest ?? noDigest);
  if (!isSame || document.secretDigest === undefined) {
    throw oauthError('invalid_request', 'client_secret does not match the client.');
  }
}

function actorOf(id: string): Actor {
  return actors.audited(clientSubject(id));
}
