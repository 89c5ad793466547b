import { z } from 'zod';
import { capabilities } from './capabilities.ts';
import { metaSchema } from './meta.ts';

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
