import { samlUpstream } from '../../../../src/identity/federation/saml/saml-upstream.ts';
import type { AttemptSecrets, OpenProvider } from '../../../../src/identity/federation/upstreams/upstream.ts';
import type { ProviderRecord } from '../../../../src/identity/providers/index.ts';
import { manualClock, OutboundGuard } from '../../../../src/platform/index.ts';
import type { SamlIdp } from './saml-idp.ts';

const callbackUrl = 'https://id.example/orgs/acme/api/v1/oauth/social/saml/callback';

export const attempt: AttemptSecrets = { state: 'S'.repeat(43), nonce: 'N'.repeat(43), codeVerifier: 'V'.repeat(43) };

export function provider(details: ProviderRecord['details'], changes: Partial<ProviderRecord> = {}): OpenProvider {
  const record: ProviderRecord = {
    number: 1,
    provider: 'saml',
    type: 'saml',
    name: 'SAML',
    clientId: 'https://id.example/sp',
    enabled: true,
    allowSignup: true,
    autoLinkUsers: false,
    scopes: [],
    details,
    secrets: {},
    createdAt: 0,
    updatedAt: 0,
    ...changes,
  };
  return { record, secrets: {}, callbackUrl };
}

/** The service's side alone, with a clock of its own. */
export function samlService(clock = manualClock(Date.now())) {
  return samlUpstream({ guard: new OutboundGuard(true), route: (url) => url, clock });
}

export function configured(idp: SamlIdp, changes: Partial<ProviderRecord> = {}): OpenProvider {
  return provider({ entryPoint: `${idp.url}/sso`, certificate: idp.certificate }, changes);
}

/** Goes to the identity provider and back. */
export async function signInAt(idp: SamlIdp, upstream = samlService(), as = configured(idp)) {
  const { fields } = await idp.respond(await upstream.request(as, attempt, {}));
  return upstream.answer(as, attempt, fields);
}
