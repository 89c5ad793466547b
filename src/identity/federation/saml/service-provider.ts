import { createRequire } from 'node:module';
import type * as NodeSaml from '@node-saml/node-saml';
import { OutboundError } from '../../../platform/index.ts';
import { type Claims, emailOf, identityFrom, isTrustedDomain } from '../upstreams/claims.ts';
import type { UpstreamDependencies } from '../upstreams/code-flow.ts';
import {
  type AnswerParameters,
  type AttemptSecrets,
  type OpenProvider,
  type Upstream,
  UpstreamError,
} from '../upstreams/upstream.ts';
import { type AssertionFacts, readAssertion, SKEW_MS } from './assertion.ts';
import { type IdentityProvider, IdentityProviders } from './idp-metadata.ts';
import { requirePlainResponse } from './response.ts';

let loaded: typeof NodeSaml | undefined;

/**
 * The library of SAML, with its own readers of XML: an eighth of all files that a thread would load to begin with, for
 * the few organizations that sign in so. It is loaded, synchronously, at its first use.
 */
function samlLibrary(): typeof NodeSaml {
  loaded ??= createRequire(import.meta.url)('@node-saml/node-saml') as typeof NodeSaml;
  return loaded;
}

/** SAML 2.0 Profiles, 4.1: the request by redirect, the response by a form, begun here. */
export function samlServiceProvider(dependencies: UpstreamDependencies): SamlServiceProvider {
  const providers = new IdentityProviders(dependencies, dependencies.clock);
  return {
    metadata: serviceProviderMetadata,
    async request(provider, attempt, { isFresh = false }) {
      const idp = await known(() => providers.of(provider.record));
      const saml = serviceProvider(provider, attempt, idp, isFresh);
      return saml.getAuthorizeUrlAsync(attempt.state, undefined, {});
    },
    async answer(provider, attempt, answer) {
      const response = responseOf(answer);
      const expected = { requestId: requestId(attempt), callbackUrl: provider.callbackUrl };
      requirePlainResponse(response, expected);
      const { signed, idp } = await proved(providers, provider, attempt, response);
      const facts = readAssertion(signed.xml, {
        ...expected,
        audience: provider.record.clientId,
        issuer: idp.entityId,
        now: dependencies.clock.now(),
        freshSince: attempt.freshSince,
      });
      // two readers of one text must have read the same name
      if (facts.nameId !== signed.nameId.trim())
        throw new UpstreamError('rejected', 'the name can be read in two ways');
      return identityOf(provider, facts);
    },
  };
}

export interface SamlServiceProvider extends Pick<Upstream, 'request' | 'answer'> {
  metadata(provider: OpenProvider): string;
}

interface Proved {
  readonly signed: { readonly xml: string; readonly nameId: string };
  readonly idp: IdentityProvider;
}

/** Proves the signature, with certificates that are read anew where the known ones do not fit. */
async function proved(
  providers: IdentityProviders,
  provider: OpenProvider,
  attempt: AttemptSecrets,
  response: string,
): Promise<Proved> {
  const idp = await known(() => providers.of(provider.record));
  try {
    return { signed: await signedPart(serviceProvider(provider, attempt, idp), response), idp };
  } catch (error) {
    const renewed = await known(() => providers.of(provider.record, true));
    if (renewed === undefined) throw error;
    return { signed: await signedPart(serviceProvider(provider, attempt, renewed), response), idp: renewed };
  }
}

async function signedPart(saml: NodeSaml.SAML, response: string): Promise<Proved['signed']> {
  let profile: NodeSaml.Profile | null;
  try {
    ({ profile } = await saml.validatePostResponseAsync({ SAMLResponse: response }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UpstreamError('rejected', `SAML response: ${reason.slice(0, 300)}`, error);
  }
  const xml = profile?.getAssertionXml?.();
  if (profile === null || xml === undefined) throw new UpstreamError('rejected', 'SAML response: nothing is signed');
  return { xml, nameId: String(profile.nameID) };
}

/** As an id of XML must: it begins with no digit. The identity provider sends it back, signed. */
function requestId({ nonce }: AttemptSecrets): string {
  return `_${nonce}`;
}

function serviceProvider(
  provider: OpenProvider,
  attempt: AttemptSecrets,
  idp: IdentityProvider,
  forceAuthn = false,
): NodeSaml.SAML {
  const id = requestId(attempt);
  const { SAML: Saml, ValidateInResponseTo } = samlLibrary();
  return new Saml({
    entryPoint: idp.entryPoint,
    idpCert: [...idp.certificates],
    ...(idp.entityId === undefined ? {} : { idpIssuer: idp.entityId }),
    issuer: provider.record.clientId,
    audience: provider.record.clientId,
    callbackUrl: provider.callbackUrl,
    identifierFormat: null,
    forceAuthn,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    // the assertion is what counts; a signature around it is not asked for
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: SKEW_MS,
    validateInResponseTo: ValidateInResponseTo.always,
    generateUniqueId: () => id,
    cacheProvider: onlyRequest(id),
  });
}

/** What the library remembers of requests: this one alone. It is spent with the attempt, in a commit. */
function onlyRequest(id: string) {
  return {
    saveAsync: async (key: string, value: string) => ({ value, createdAt: Date.now(), key }),
    getAsync: async (key: string) => (key === id ? new Date().toISOString() : null),
    removeAsync: async () => null,
  };
}

/** An address that a tenant has set, or that metadata names, may lead nowhere allowed. */
async function known<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new UpstreamError('misconfigured', `the metadata: ${error.message}`, error);
  }
}

function responseOf({ SAMLResponse }: AnswerParameters): string {
  if (SAMLResponse === undefined) throw new UpstreamError('rejected', 'there is no SAMLResponse');
  return SAMLResponse;
}

/** What identity providers call what (eduPerson, WS-Federation claims, and plain names), by the names of claims. */
const attributeNames = {
  email: [
    'email',
    'mail',
    'emailAddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ],
  name: [
    'displayName',
    'name',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
  ],
  given_name: [
    'givenName',
    'firstName',
    'urn:oid:2.5.4.42',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname',
  ],
  family_name: [
    'sn',
    'surname',
    'lastName',
    'urn:oid:2.5.4.4',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname',
  ],
} as const;

function identityOf({ record }: OpenProvider, facts: AssertionFacts) {
  const { issuer, nameId, attributes, isEmail, id, until } = facts;
  const claims: Record<string, unknown> = isEmail ? { email: nameId } : {};
  for (const [claim, names] of Object.entries(attributeNames)) {
    const value = names.map((name) => attributes.get(name)).find((each) => each !== undefined && each !== '');
    if (value !== undefined) claims[claim] = value;
  }
  const email = emailOf(claims as Claims);
  // no assertion says whether an address was verified: the organization does, for domains of the identity provider
  const emailVerified = email !== undefined && isTrustedDomain(record, email);
  const identity = identityFrom(record, claims, { issuer, subject: nameId, emailVerified, runsDomain: false });
  return { ...identity, proof: { id: `${issuer}\n${id}`, until } };
}

/** What an identity provider has to be told, as SAML metadata. */
function serviceProviderMetadata({ record, callbackUrl }: OpenProvider): string {
  return samlLibrary().generateServiceProviderMetadata({
    issuer: record.clientId,
    callbackUrl,
    identifierFormat: null,
    wantAssertionsSigned: true,
    // the same at every reading
    generateUniqueId: () => `_${record.number}`,
  });
}
