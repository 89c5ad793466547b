import type { Precondition, Store } from '#engine';
import { countsNow, getUser, userAsActor } from '../../../../directory/records/index.ts';
import { readSettings } from '../../../../directory/settings/index.ts';
import { sessionBasis } from '../../../../identity/sessions/index.ts';
import { auditedAs } from '../../../../kernel/audit/index.ts';
import { transactAs } from '../../../../kernel/transactions/index.ts';
import { type ClientEntry, type ClientOptions, clientAt, comesByItself, optionOf } from '../../clients/index.ts';
import { consentRecords, getConsent } from '../../consent/consents.ts';
import { oauthError } from '../../errors/index.ts';
import { type IdTokenHint, verifyIdTokenHint } from '../../id-tokens/id-token.ts';
import { issuerOf } from '../../issuer.ts';
import type { ProtocolDependencies } from '../../protocol/dependencies.ts';
import { signJwt } from '../../signing/index.ts';
import { issuer, type TokenResponse } from '../../tokens/index.ts';
import { idJagUri, idTokenUri, type TokenForm, type TokenRequest } from '../grant.ts';
import { grantedScopes } from '../requested-scopes.ts';

/** Names of the Identity Assertion JWT Authorization Grant (draft-ietf-oauth-identity-assertion-authz-grant). */
export const idJagProfile = 'urn:ietf:params:oauth:grant-profile:id-jag';
/** As `typ` of the assertion has it. */
export const idJagType = 'oauth-id-jag+jwt';
const LIFETIME_S = 300;

/** Whether the organization issues such assertions and takes them. To be called inside `Engine.read`. */
export function assertionsAreOn(store: Store): boolean {
  return readSettings(store).oauth.identityAssertions;
}

type Audience = ClientOptions['assertionAudiences'][number];

/** What an assertion says beside the user. */
interface Terms {
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/**
 * An assertion by which an application shows another authorization server who has signed in here (Identity Assertion JWT
 * Authorization Grant, 4.3). An administrator has named the server for this client, what the client is called there and what
 * it may ask for. It is issued to the client of the ID token alone, while the session of that goes on.
 * @throws ProblemError `invalid_request`, `invalid_target`, `invalid_scope`, `unauthorized_client`
 */
export async function issueAssertion(
  dependencies: ProtocolDependencies,
  request: TokenRequest,
): Promise<TokenResponse> {
  const { engine, audit, baseUrl, keys } = dependencies;
  const { organization, client, form, resource, facts } = request;
  const { store, slug } = organization;
  if (!engine.read(() => assertionsAreOn(store))) throw notIssued();
  const audience = requireForm(form);
  if (comesByItself(client.document))
    throw oauthError('unauthorized_client', 'An administrator has to register this client first.');
  const hint = await verifyIdTokenHint(dependencies, organization, form.subject_token ?? '');
  const id = audit.newId();
  const actor = issuer(client, hint?.userId);
  const terms = await transactAs(dependencies, organization, actor, facts, (transaction): Terms => {
    if (!assertionsAreOn(store)) throw notIssued();
    const current = clientAt(store, client.id);
    if (current === undefined || hint === undefined) throw notValid();
    const preconditions = basisOf(store, current, hint, transaction.now);
    if (preconditions === undefined) throw notValid();
    const { clientId, scopes: allowed } = trustedAudience(current, audience, resource);
    const scopes = grantedScopes(form.scope, allowed);
    const entry = {
      eventType: 'token.issued',
      action: 'assertion.issue',
      targetType: 'token',
      targetId: id,
      metadata: { clientId: client.id, userId: hint.userId, audience, resource, scopes },
    } as const;
    transaction.expect(preconditions);
    // nothing else is written: the change is the entry in the log
    transaction.change(auditedAs(audit, organization, userAsActor(store, hint.userId), facts, entry));
    return { clientId, scopes };
  });
  const issuedAt = Math.floor(dependencies.clock.now() / 1000);
  const scope = terms.scopes.join(' ');
  const text = await signJwt(await keys.signer(organization, optionOf(client.document, 'idTokenSignedResponseAlg')), {
    type: idJagType,
    claims: {
      iss: issuerOf(baseUrl, slug),
      sub: hint?.userId,
      aud: audience,
      client_id: terms.clientId,
      jti: id,
      iat: issuedAt,
      exp: issuedAt + LIFETIME_S,
      ...(scope === '' ? {} : { scope }),
      ...(resource === undefined ? {} : { resource }),
    },
  });
  return { access_token: text, issued_token_type: idJagUri, token_type: 'N_A', expires_in: LIFETIME_S, scope };
}

/** @throws ProblemError `invalid_request` */
function requireForm(form: TokenForm): string {
  const { subject_token: token, subject_token_type: type, actor_token: actor, jit_task_id: task, audience } = form;
  if (token === undefined) throw oauthError('invalid_request', 'subject_token is missing.');
  if (type !== idTokenUri) {
    throw oauthError('invalid_request', `For an assertion subject_token_type must be ${idTokenUri}.`);
  }
  if (actor !== undefined || form.actor_token_type !== undefined || task !== undefined) {
    throw oauthError('invalid_request', 'An assertion cannot be combined with actor_token or a task.');
  }
  if (audience === undefined || audience === '') throw oauthError('invalid_request', 'audience is missing.');
  return audience;
}

/** Requires a current ID token of the client, whose user is signed in and has not revoked the consent. */
function basisOf(
  store: Store,
  client: ClientEntry,
  { userId, clientId, sessionId, expiresAt }: IdTokenHint,
  now: number,
): Precondition[] | undefined {
  if (clientId !== client.id || now >= expiresAt || sessionId === undefined) return undefined;
  const user = getUser(store, userId);
  if (user === undefined || !countsNow(user.document)) return undefined;
  const session = sessionBasis(store, { sessionId, userId }, now);
  if (session === undefined || optionOf(client.document, 'skipConsent')) return session;
  const consent = getConsent(store, { userId, clientId });
  return consent && [...session, consentRecords.same(store, consent)];
}

/** @throws ProblemError `invalid_target` */
function trustedAudience({ document }: ClientEntry, audience: string, resource: string | undefined): Audience {
  const found = optionOf(document, 'assertionAudiences').find((each) => each.audience === audience);
  if (found === undefined) throw oauthError('invalid_target', 'The client may not get assertions for this audience.');
  if (resource !== undefined && !found.resources.includes(resource)) {
    throw oauthError('invalid_target', 'The client may not get assertions for this resource.');
  }
  return found;
}

/** The same whatever is wrong with it. */
function notValid() {
  return oauthError('invalid_request', 'The subject_token is not a valid ID token of this client.');
}

function notIssued() {
  return oauthError('invalid_request', 'requested_token_type is not supported.');
}
