import { z } from 'zod';
import type { Store } from '#engine';
import { countsNow, getUser } from '../../../../directory/records/index.ts';
import { type AssertionIssuer, readSettings } from '../../../../directory/settings/index.ts';
import { findIdentity } from '../../../../identity/federation/index.ts';
import { usableProvider } from '../../../../identity/providers/index.ts';
import { digestOf } from '../../../../platform/index.ts';
import {
  claimsOfAssertion,
  comesByItself,
  jwtBearerGrant,
  type ProvedAssertion,
  proveAssertion,
  spentAssertionRecords,
} from '../../clients/index.ts';
import { oauthError } from '../../errors/index.ts';
import { issuerUrls, resourceName } from '../../issuer.ts';
import type { ProtocolDependencies } from '../../protocol/dependencies.ts';
import { issueTokens } from '../../tokens/index.ts';
import { grantedAudience } from '../audience.ts';
import type { Grant, TokenRequest } from '../grant.ts';
import { grantedScopes, personScopes } from '../requested-scopes.ts';
import { assertionsAreOn, idJagType } from './issue-assertion.ts';

/** How far ahead an assertion may expire, and how old it may be. */
const LIFETIME_MAX_S = 600;
const TOKEN_MAX_MS = 3_600_000;

const claimsSchema = z.object({
  sub: z.string().min(1).max(2048),
  client_id: z.string(),
  scope: z.string().max(8192).optional(),
  resource: z.union([z.string().max(2048), z.array(z.string().max(2048)).min(1).max(10)]).optional(),
});

type Claims = z.output<typeof claimsSchema>;

/** An assertion that was proved to be the issuer's, and made for this client. */
interface Believed {
  readonly issuer: AssertionIssuer;
  readonly proved: ProvedAssertion;
  readonly claims: Claims;
}

/**
 * An access token for an identity assertion (RFC 7523, 4; Identity Assertion JWT Authorization Grant, 4.4) of an issuer that an
 * administrator believes, about somebody who is linked here. It reaches what the assertion names, the client is registered
 * for and the request asks for; nothing of the person's profile, to which nobody has agreed here. No refresh token.
 */
export const jwtBearer: Grant = {
  type: jwtBearerGrant,
  asksOthers: true,
  async issue(dependencies, request) {
    const { organization, client, form, resource, proof, facts } = request;
    const { store } = organization;
    requireOpen(dependencies, request);
    const believed = await believedAssertion(dependencies, request);
    const { sub, scope: said = '', resource: meant = [] } = believed.claims;
    const userId = dependencies.engine.read(() => linkedUser(store, believed.issuer, sub));
    if (userId === undefined) throw notValid();
    const named = new Set(said.split(' '));
    const allowed = client.document.scopes.filter((scope) => named.has(scope) && !personScopes.has(scope));
    const urls = issuerUrls(dependencies.baseUrl, organization.slug);
    const resources = [meant].flat().map((uri) => resourceName(uri, urls));
    const order = {
      client,
      userId,
      scopes: grantedScopes(form.scope, allowed),
      audience: grantedAudience(dependencies, organization, client, resource, resources),
      dpopKey: proof?.jkt,
      lifetimeMaxMs: TOKEN_MAX_MS,
      assertedBy: believed.issuer.issuer,
    };
    return issueTokens(dependencies, organization, order, facts, (transaction) => {
      if (!assertionsAreOn(store)) throw notOffered();
      const isSame = linkedUser(store, issuerNamed(store, believed.issuer.issuer), sub) === userId;
      if (!isSame || !sameIssuer(store, believed.issuer)) throw notValid();
      const { jti, until } = believed.proved;
      const id = digestOf(`assertion\n${believed.issuer.issuer}\n${jti}`);
      if (transaction.get(spentAssertionRecords, id) !== undefined) throw notValid();
      transaction.put(spentAssertionRecords, id, { until });
    });
  },
};

/** @throws ProblemError `unsupported_grant_type`, `unauthorized_client` */
function requireOpen({ engine }: ProtocolDependencies, { organization, client }: TokenRequest): void {
  if (!engine.read(() => assertionsAreOn(organization.store))) throw notOffered();
  if (client.document.type === 'public' || comesByItself(client.document)) {
    throw oauthError('unauthorized_client', 'Assertions are only for registered confidential clients.');
  }
}

/** @throws ProblemError `invalid_request`, `invalid_grant` */
async function believedAssertion(
  { engine, clock, remoteKeys, baseUrl }: ProtocolDependencies,
  { organization: { store, slug }, client, form: { assertion } }: TokenRequest,
): Promise<Believed> {
  if (assertion === undefined) throw oauthError('invalid_request', 'assertion is missing.');
  const claimed = claimsOfAssertion(assertion);
  const issuer = claimed && engine.read(() => issuerNamed(store, claimed.issuer));
  if (issuer === undefined) throw notValid();
  const rule = {
    keys: issuer,
    issuer: issuer.issuer,
    subject: undefined,
    type: idJagType,
    audiences: [issuerUrls(baseUrl, slug).issuer],
    required: ['exp', 'iat', 'jti'],
    lifetimeMaxS: LIFETIME_MAX_S,
    isUsedOnce: true,
  };
  const proved = await proveAssertion(rule, assertion, remoteKeys, clock.now());
  const claims = claimsSchema.safeParse(proved?.payload).data;
  if (proved === undefined || claims?.client_id !== client.id) throw notValid();
  return { issuer, proved, claims };
}

function issuerNamed(store: Store, issuer: string): AssertionIssuer | undefined {
  return readSettings(store).oauth.assertionIssuers.find((each) => each.issuer === issuer);
}

/** Whether nothing was changed about it while its keys were fetched. */
function sameIssuer(store: Store, issuer: AssertionIssuer): boolean {
  return JSON.stringify(issuerNamed(store, issuer.issuer)) === JSON.stringify(issuer);
}

/** Who is linked to it through the provider of the issuer, while people may sign in by that and this one may. */
function linkedUser(store: Store, issuer: AssertionIssuer | undefined, subject: string): string | undefined {
  const provider = issuer && usableProvider(store, issuer.provider);
  const identity = provider && findIdentity(store, provider.id, { issuer: issuer.issuer, subject });
  const user = identity && getUser(store, identity.document.userId);
  return user !== undefined && countsNow(user.document) ? user.id : undefined;
}

/** The same whatever is wrong with it: who is linked here is not told. */
function notValid() {
  return oauthError('invalid_grant', 'The assertion is not accepted here.');
}

function notOffered() {
  return oauthError('unsupported_grant_type', 'This grant type is not supported.');
}
