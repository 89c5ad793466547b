import { z } from 'zod';
import {
  changedOptional,
  nameSchema,
  permissionReferences,
  referencesSchema,
  writableBody,
} from '../../../../kernel/transactions/index.ts';
import { changedOptions, optionSchemas } from '../records/client-options.ts';
import {
  type AuthMethod,
  applicationTypes,
  type ClientMetadata,
  deviceCodeGrant,
  type GrantType,
  optionalMetadata,
} from '../records/client-record.ts';
import { fieldSchemas, standardScopes } from '../records/fields.ts';
import { clientSchema } from './client-view.ts';

const RIGHTS_MAX = 100;
const removable = fieldSchemas.uri.nullable().optional();

const shared = {
  tokenEndpointAuthMethod: fieldSchemas.authMethod.optional(),
  applicationType: z.enum(applicationTypes).nullable().describe('Null: the redirect URIs tell it').optional(),
  redirectUris: fieldSchemas.redirectUris.optional(),
  postLogoutRedirectUris: fieldSchemas.redirectUris.optional(),
  grantTypes: fieldSchemas.grantTypes.optional(),
  responseTypes: fieldSchemas.responseTypes.optional(),
  scopes: fieldSchemas.scopes.optional(),
  roles: referencesSchema(RIGHTS_MAX).describe('Ids or slugs; what the client has where it acts for itself').optional(),
  permissions: permissionReferences(RIGHTS_MAX)
    .describe('Numbers or slugs; what the client has where it acts for itself')
    .optional(),
  contacts: fieldSchemas.contacts.optional(),
  clientUri: removable,
  logoUri: removable,
  policyUri: removable,
  tosUri: removable,
  jwks: fieldSchemas.jwks.nullable().optional(),
  jwksUri: removable,
  backchannelLogoutUri: removable,
  isActive: z.boolean().optional(),
  ...z.object(optionSchemas).partial().shape,
};

export const newClientBody = z.strictObject({
  name: nameSchema,
  type: z.enum(['confidential', 'public']).optional(),
  ...shared,
});

export const changedClientBody = writableBody({ name: nameSchema.optional(), ...shared }, clientSchema);

export type NewClient = z.output<typeof newClientBody>;
export type ClientChanges = Omit<NewClient, 'name' | 'type'> & { readonly name?: string | undefined };

/** What a new client is, with what follows from what is said. */
export function newMetadata(body: NewClient): ClientMetadata {
  const type = body.type ?? (body.tokenEndpointAuthMethod === 'none' ? 'public' : 'confidential');
  const authMethod: AuthMethod = body.tokenEndpointAuthMethod ?? (type === 'public' ? 'none' : 'client_secret_basic');
  const grantTypes: readonly GrantType[] = body.grantTypes ?? ['authorization_code', 'refresh_token'];
  const begins: ClientMetadata = {
    name: body.name,
    type,
    authMethod,
    redirectUris: [],
    grantTypes,
    responseTypes: responsesOf(grantTypes),
    scopes: defaultScopes(grantTypes),
    postLogoutRedirectUris: [],
    contacts: [],
  };
  return changedMetadata(begins, body);
}

/** What is not said stays as it is; null takes what is optional away. */
export function changedMetadata(before: ClientMetadata, body: ClientChanges): ClientMetadata {
  const grantTypes = body.grantTypes ?? before.grantTypes;
  return {
    name: body.name ?? before.name,
    type: before.type,
    authMethod: body.tokenEndpointAuthMethod ?? before.authMethod,
    redirectUris: body.redirectUris ?? before.redirectUris,
    grantTypes,
    responseTypes:
      body.responseTypes ?? (body.grantTypes === undefined ? before.responseTypes : responsesOf(grantTypes)),
    scopes: body.scopes ?? before.scopes,
    postLogoutRedirectUris: body.postLogoutRedirectUris ?? before.postLogoutRedirectUris,
    contacts: body.contacts ?? before.contacts,
    ...changedOptions(before, body),
    ...changedOptional(before, body, optionalMetadata),
  };
}

export function responsesOf(grantTypes: readonly GrantType[]): readonly 'code'[] {
  return grantTypes.includes('authorization_code') ? ['code'] : [];
}

export function defaultScopes(grantTypes: readonly GrantType[]): readonly string[] {
  const signsIn = grantTypes.includes('authorization_code') || grantTypes.includes(deviceCodeGrant);
  return signsIn ? standardScopes : [];
}
