import { z } from 'zod';
import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import { existing } from '../../../kernel/transactions/index.ts';
import { issuerUrls } from '../../../protocols/oauth/index.ts';
import { deliveryMethods } from '../records/stream-record.ts';
import { type TransmitterDependencies, tags } from './transmitter-endpoint.ts';

const endpoint = endpointFor<unknown>();
const text = z.string();

const metadata = z.strictObject({
  spec_version: z.literal('1_0'),
  issuer: text,
  jwks_uri: text,
  delivery_methods_supported: z.array(text),
  configuration_endpoint: text,
  status_endpoint: text,
  add_subject_endpoint: text,
  remove_subject_endpoint: text,
  verification_endpoint: text,
  critical_subject_members: z.array(text),
  authorization_schemes: z.array(z.strictObject({ spec_urn: text })),
  default_subjects: z.literal('ALL'),
});

/** Where receivers look for an issuer with a path (SSF 1.0, 7.2): in front of it, and behind it. */
const paths = ['/.well-known/ssf-configuration/orgs/{orgId}', '/orgs/{orgId}/.well-known/ssf-configuration'] as const;

export function metadataEndpoints({ engine, directory, baseUrl }: TransmitterDependencies): Endpoint[] {
  return paths.map((path) =>
    endpoint({
      method: 'GET',
      path,
      summary: 'Get the metadata of the transmitter of security events',
      description: 'The transmitter’s metadata of the Shared Signals Framework 1.0.',
      tags,
      access: 'public',
      cors: true,
      responses: { 200: metadata },
      errors: ['not_found'],
      handler({ params }) {
        const { slug } = existing(engine.read(() => directory.find(params.orgId)));
        return json(200, transmitterMetadata(baseUrl, slug));
      },
    }),
  );
}

function transmitterMetadata(baseUrl: string, slug: string): z.output<typeof metadata> {
  const { issuer, api } = issuerUrls(baseUrl, slug);
  const base = `${api}/ssf`;
  return {
    spec_version: '1_0',
    issuer,
    jwks_uri: `${api}/oauth/jwks`,
    delivery_methods_supported: Object.values(deliveryMethods),
    configuration_endpoint: `${base}/stream`,
    status_endpoint: `${base}/status`,
    add_subject_endpoint: `${base}/subjects/add`,
    remove_subject_endpoint: `${base}/subjects/remove`,
    verification_endpoint: `${base}/verify`,
    // whoever does not know `session` would end more than was meant
    critical_subject_members: ['user', 'session', 'tenant'],
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
    default_subjects: 'ALL',
  };
}
