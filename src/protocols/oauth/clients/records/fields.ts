import { z } from 'zod';
import { jwksSchema } from '../../../../platform/index.ts';
import { scopeName } from './client-options.ts';
import { authMethods, grantTypes } from './client-record.ts';
import { REDIRECTS_MAX, URI_LENGTH_MAX } from './redirect-uris.ts';

/** Bounds of what a client is described by, whichever way it is registered. */
export const uriSchema: z.ZodType<string> = z.string().min(1).max(URI_LENGTH_MAX);

export const fieldSchemas = {
  redirectUris: z.array(uriSchema).max(REDIRECTS_MAX),
  grantTypes: z.array(z.enum(grantTypes)).min(1).max(grantTypes.length),
  responseTypes: z.array(z.literal('code')).max(1),
  authMethod: z.enum(authMethods),
  scopes: z.array(scopeName).max(200),
  contacts: z.array(z.email().max(254)).max(20),
  uri: uriSchema,
  jwks: jwksSchema,
} as const;

/** What a client that signs people in may ask for where nothing else is said (OpenID Connect Core, 5.4 and 11). */
export const standardScopes: readonly string[] = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'];
