import { z } from 'zod';
import { bulkLimits } from '../bulk/bulk-operation.ts';
import { COUNT_DEFAULT, COUNT_MAX } from '../lists/list-parameters.ts';
import { metaSchema } from './descriptions.ts';

/** How lists come in pages (RFC 7644, 3.4.2.4; RFC 9865). */
const pageLimits = {
  /** Resources of a page where nothing is said. */
  defaultPageSize: COUNT_DEFAULT,
  /** Most resources of a page: a larger `count` is taken for this one. */
  maxPageSize: COUNT_MAX,
  /** Seconds for which a cursor is good at least. */
  cursorTimeout: 3600,
} as const;

/** What the service can do (RFC 7643, 5; RFC 9865, 4). */
const capabilities = {
  patch: { supported: true },
  bulk: { supported: true, ...bulkLimits },
  filter: { supported: true, maxResults: pageLimits.maxPageSize },
  changePassword: { supported: true },
  sort: { supported: true },
  etag: { supported: true },
  pagination: { cursor: true, index: true, defaultPaginationMethod: 'index', ...pageLimits },
} as const;

const configSchemaUrn = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';

const supported = z.strictObject({ supported: z.boolean() });

export const serviceProviderConfigSchema = z.strictObject({
  schemas: z.tuple([z.literal(configSchemaUrn)]),
  documentationUri: z.string(),
  patch: supported,
  bulk: supported.extend({ maxOperations: z.int(), maxPayloadSize: z.int() }),
  filter: supported.extend({ maxResults: z.int() }),
  changePassword: supported,
  sort: supported,
  etag: supported,
  pagination: z.strictObject({
    cursor: z.boolean(),
    index: z.boolean(),
    defaultPaginationMethod: z.enum(['cursor', 'index']),
    defaultPageSize: z.int(),
    maxPageSize: z.int(),
    cursorTimeout: z.int(),
  }),
  authenticationSchemes: z.array(
    z.strictObject({
      type: z.literal('oauthbearertoken'),
      name: z.string(),
      description: z.string(),
      specUri: z.string(),
      documentationUri: z.string(),
      primary: z.boolean(),
    }),
  ),
  meta: metaSchema,
});

/** RFC 7643, 5. @param documentation where people read how to connect */
export function serviceProviderConfig(
  location: string,
  documentation: string,
): z.input<typeof serviceProviderConfigSchema> {
  return {
    schemas: [configSchemaUrn],
    documentationUri: documentation,
    ...capabilities,
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A SCIM token of the organization, or an access token with the scope "scim".',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        documentationUri: documentation,
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location },
  };
}
