import { type ActorChain, tokenRecords } from '../../../identity/sessions/index.ts';
import type { Agency, Organization } from '../../../kernel/organizations/index.ts';
import { type ClientEntry, clientAt, optionOf, subjectOfClient, tokenExchangeGrant } from '../clients/index.ts';
import { oauthError } from '../errors/index.ts';
import type { ProtocolDependencies } from '../protocol/dependencies.ts';
import { issueTokens, type TokenOrder, type VerifiedToken } from '../tokens/index.ts';
import { exchangeAgency, namedAgency } from './agency-exchange.ts';
import { issueAssertion } from './assertions/issue-assertion.ts';
import { requestedAudience } from './audience.ts';
import { accessTokenUri, delegationUri, type Grant, idJagUri, type TokenForm, type TokenRequest } from './grant.ts';
import { grantedScopes } from './requested-scopes.ts';

const jwtUri = 'urn:ietf:params:oauth:token-type:jwt';

/** So many may act for each other in a chain, and so many exchanges may follow one another. */
const CHAIN_MAX = 4;
/** What ends with a session needs none of its own. */
const notExchanged = new Set(['offline_access']);

/**
 * A token for another one (RFC 8693). It has the same subject, and ends with the token that it was exchanged for. It
 * names who acts, unless the client may act as the subject itself; then the engine must allow both whatever the token
 * is used for.
 */
export const tokenExchange: Grant = {
  type: tokenExchangeGrant,
  async issue(dependencies, request) {
    const { organization, client, form, proof, facts } = request;
    if (client.document.type === 'public')
      throw oauthError('unauthorized_client', 'Public clients cannot exchange tokens.');
    if (form.requested_token_type === idJagUri) return issueAssertion(dependencies, request);
    const agency = namedAgency(request);
    if (agency !== undefined) {
      await requireOwnSubject(dependencies, request, agency);
      requireRequested(form);
      return { ...(await exchangeAgency(dependencies, request, agency)), issued_token_type: accessTokenUri };
    }
    requireForm(form);
    const subject = await proved(dependencies, organization, form.subject_token ?? '', 'subject_token');
    const actor =
      form.actor_token === undefined
        ? undefined
        : await ownToken(dependencies, request, form.actor_token, 'actor_token');
    if (subject.agency !== undefined) {
      throw oauthError('invalid_request', 'This token cannot be exchanged again: use its delegation or task.');
    }
    if (client.document.kind === 'agent' && subject.userId === undefined) {
      throw oauthError('invalid_request', 'An agent gets tokens of its own with client_credentials.');
    }
    requireProof(request, subject);
    const role = dependencies.engine.read(() => roleOf(organization, client, subject, actor));
    const order: TokenOrder = {
      client,
      userId: subject.userId,
      sessionId: undefined,
      scopes: scopesOf(request, subject, actor),
      audience: audienceOf(dependencies, request, subject),
      dpopKey: proof?.jkt,
      actor: role,
      parentId: subject.id,
      lifetimeMaxMs: subject.expiresAt - dependencies.clock.now(),
    };
    const response = await issueTokens(dependencies, organization, order, facts, (transaction) => {
      const parent = transaction.get(tokenRecords, subject.id);
      if (parent === undefined || !dependencies.verifier.stillCounts(organization, subject)) {
        throw oauthError('invalid_request', 'The subject_token is no longer valid.');
      }
    });
    return { ...response, issued_token_type: accessTokenUri };
  },
};

/** @throws ProblemError `invalid_request` */
function requireForm(form: TokenForm): void {
  if (form.subject_token === undefined) throw oauthError('invalid_request', 'subject_token is missing.');
  if (form.subject_token_type !== accessTokenUri) {
    throw oauthError('invalid_request', `subject_token_type must be ${accessTokenUri} or ${delegationUri}.`);
  }
  if ((form.actor_token === undefined) !== (form.actor_token_type === undefined)) {
    throw oauthError('invalid_request', 'actor_token and actor_token_type must be sent together.');
  }
  if (form.actor_token_type !== undefined && form.actor_token_type !== accessTokenUri) {
    throw oauthError('invalid_request', `actor_token_type must be ${accessTokenUri}.`);
  }
  requireRequested(form);
}

/** @throws ProblemError `invalid_request` */
function requireRequested({ requested_token_type: requested = accessTokenUri }: TokenForm): void {
  if (requested !== accessTokenUri && requested !== jwtUri) {
    throw oauthError('invalid_request', `requested_token_type must be ${accessTokenUri}.`);
  }
}

/** A task may come with an access token that the agent has for itself, which adds nothing. */
async function requireOwnSubject(
  dependencies: ProtocolDependencies,
  request: TokenRequest,
  { kind }: Agency,
): Promise<void> {
  const { subject_token: text, subject_token_type: type } = request.form;
  if (kind === 'delegation' || (text === undefined && type === undefined)) return;
  if (text === undefined || type !== accessTokenUri) {
    throw oauthError('invalid_request', `With jit_task_id a subject_token is of the type ${accessTokenUri}.`);
  }
  await ownToken(dependencies, request, text, 'subject_token');
}

/** RFC 8693, 2.2.2: a token that is not valid is the request's fault. */
async function proved(
  { verifier }: ProtocolDependencies,
  organization: Organization,
  text: string,
  name: string,
): Promise<VerifiedToken> {
  const token = await verifier.verify(organization, text);
  if (token === undefined) throw oauthError('invalid_request', `The ${name} is not valid.`);
  return token;
}

/** The token that the client has for itself: nobody acts by a token of somebody else. */
async function ownToken(
  dependencies: ProtocolDependencies,
  { organization, client, proof }: TokenRequest,
  text: string,
  name: string,
): Promise<VerifiedToken> {
  const token = await proved(dependencies, organization, text, name);
  if (token.clientId !== client.id || token.userId !== undefined || token.actor !== undefined) {
    throw oauthError('invalid_request', `The ${name} must be one that the client has for itself.`);
  }
  if (token.jkt !== undefined && token.jkt !== proof?.jkt) {
    throw oauthError('invalid_request', `The ${name} is bound to another key.`);
  }
  return token;
}

/**
 * Who acts with the token; `undefined` where its subject does. A client may act with tokens of its own, and with those of
 * clients that say so (`may_act`, RFC 8693, 4.4), by the record as it is now. Inside `Engine.read`.
 * @throws ProblemError `invalid_request`
 */
function roleOf(
  { store }: Organization,
  client: ClientEntry,
  subject: VerifiedToken,
  actor: VerifiedToken | undefined,
): ActorChain | undefined {
  const isOwn = subject.clientId === client.id;
  if (!isOwn && subject.userId === undefined) {
    throw oauthError('invalid_request', 'The subject_token belongs to a client, and nobody can act for a client.');
  }
  const given = clientAt(store, subject.clientId);
  if (!isOwn && (given === undefined || !optionOf(given.document, 'mayAct').includes(client.id))) {
    throw oauthError('invalid_request', 'The client may not exchange tokens that were issued to this other client.');
  }
  if (depthOf(store, subject.id) >= CHAIN_MAX)
    throw oauthError('invalid_request', 'The token has been exchanged too many times.');
  const mayBeUnnamed = isOwn || optionOf(client.document, 'mayImpersonate');
  // whoever already acts stays named
  if (actor === undefined && mayBeUnnamed) return subject.actor;
  const chain: ActorChain = { subject: subjectOfClient(client), name: client.id };
  if (lengthOf(subject.actor) >= CHAIN_MAX) throw oauthError('invalid_request', 'The chain of actors is too long.');
  return subject.actor === undefined ? chain : { ...chain, act: subject.actor };
}

/**
 * A client cannot turn its own token of a user into one for a resource that the user has not agreed to. With another
 * client's token it may name any resource that it may get tokens for.
 */
function audienceOf(
  dependencies: ProtocolDependencies,
  { organization, client, resource }: TokenRequest,
  subject: VerifiedToken,
) {
  const isOwn = subject.clientId === client.id && subject.userId !== undefined;
  if (isOwn && resource !== undefined && resource !== subject.audience) {
    throw oauthError('invalid_target', 'A token of the client itself keeps its resource.');
  }
  return requestedAudience(dependencies, organization, client, isOwn ? subject.audience : resource);
}

/** A token that is bound to a key stays bound for whoever it was given to. */
function requireProof({ client, proof }: TokenRequest, subject: VerifiedToken): void {
  if (subject.clientId !== client.id || subject.jkt === undefined || subject.jkt === proof?.jkt) return;
  throw oauthError('invalid_request', 'The subject_token is bound to another key.');
}

function lengthOf(chain: ActorChain | undefined): number {
  return chain === undefined ? 0 : 1 + lengthOf(chain.act);
}

/** How many exchanges stand behind a token. */
function depthOf(store: Organization['store'], id: string): number {
  const parentId = tokenRecords.get(store, id)?.document.parentId;
  const parent = parentId === undefined ? undefined : tokenRecords.get(store, parentId);
  return parent?.document.type === 'access' ? 1 + depthOf(store, parent.id) : 0;
}

/** The subject's, and the actor's, and the request's; of a client without a token, what it is registered for. */
function scopesOf({ client, form }: TokenRequest, subject: VerifiedToken, actor: VerifiedToken | undefined): string[] {
  const own = new Set(actor?.scopes ?? client.document.scopes);
  const shared = subject.scopes.filter((scope) => own.has(scope) && !notExchanged.has(scope));
  return grantedScopes(form.scope, shared);
}
