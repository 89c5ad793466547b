import { formText } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { notFound } from '../../../kernel/transactions/index.ts';
import type { ClientEntry } from '../clients/index.ts';
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
 * The client that sends a form.
 * @param mayBeNew whether a client that is a document may come here first
 * @throws ProblemError `invalid_client`, `invalid_request`, `rate_limited`; 403
 */
export function clientOf(
  { authenticator, baseUrl }: ProtocolDependencies,
  organization: Organization,
  call: PublicCall,
  form: { readonly [Name in keyof typeof clientFields]?: string | undefined },
  endpoint: string,
  mayBeNew = false,
): Promise<ClientEntry> {
  const { issuer, tokenEndpoints } = issuerUrls(baseUrl, organization.slug);
  return authenticator.authenticate(organization, {
    authorization: call.header('authorization'),
    form,
    facts: factsOf(call),
    audiences: [issuer, tokenEndpoints.org, tokenEndpoints.tenant, endpoint],
    mayBeNew,
  });
}
