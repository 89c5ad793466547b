import { formText } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { notFound } from '../../../kernel/transactions/index.ts';
import type { ClientEntry, ClientForm } from '../clients/index.ts';
import { renderOAuth } from '../errors/index.ts';
import { issuerUrls } from '../issuer.ts';
import type { ProtocolDependencies } from './dependencies.ts';

/** How a client says who it is, in the form of each endpoint that asks it. */
export const clientFields = {
  client_id: formText(256),
  client_secret: formText(1024),
  client_assertion: formText(16_384),
  client_assertion_type: formText(256),
};

interface PublicCall {
  readonly requestId: string;
  header(name: string): string;
  clientAddress(): string;
}

/** The organization in the path. @throws ProblemError 404 */
export function organizationAt({ engine, directory }: ProtocolDependencies, slug: string): Organization {
  const organization = engine.read(() => directory.find(slug));
  if (organization === undefined) throw notFound();
  return organization;
}

/**
 * The client that sends a form to an endpoint.
 * @param endpoint its address
 * @param mayBeNew whether a client that is a document may come here first
 * @throws ProblemError `invalid_client`, `invalid_request`, `rate_limited`; 403
 */
export function clientOf(
  { authenticator, baseUrl }: ProtocolDependencies,
  organization: Organization,
  call: PublicCall & { readonly body: ClientForm },
  endpoint: string,
  mayBeNew = false,
): Promise<ClientEntry> {
  const { issuer, tokenEndpoints } = issuerUrls(baseUrl, organization.slug);
  return authenticator.authenticate(organization, {
    authorization: call.header('authorization'),
    form: call.body,
    facts: factsOf(call),
    audiences: [issuer, tokenEndpoints.org, tokenEndpoints.tenant, endpoint],
    mayBeNew,
  });
}

/** The same of an endpoint below `{org_api}/oauth`, whose address is answered, too. */
export async function clientAtEndpoint(
  dependencies: ProtocolDependencies,
  call: PublicCall & { readonly body: ClientForm; readonly params: { readonly orgId: string } },
  name: 'device_authorization' | 'introspect' | 'par' | 'revoke',
  mayBeNew = false,
) {
  const organization = organizationAt(dependencies, call.params.orgId);
  const address = `${issuerUrls(dependencies.baseUrl, organization.slug).api}/oauth/${name}`;
  return { organization, address, client: await clientOf(dependencies, organization, call, address, mayBeNew) };
}

/** What these endpoints have in common. */
export const clientEndpoint = {
  method: 'POST',
  tags: ['OAuth'],
  access: 'public',
  renderer: renderOAuth,
  bodyForm: 'form',
} as const;
