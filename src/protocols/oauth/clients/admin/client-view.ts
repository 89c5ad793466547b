import { z } from 'zod';
import type { Store } from '#engine';
import { slugsOf } from '../../../../directory/records/index.ts';
import { isoTime, isoTimeOrNull } from '../../../../platform/index.ts';
import { optionSchemas, optionsOf } from '../records/client-options.ts';
import {
  applicationTypes,
  authMethods,
  clientSubject,
  grantTypes,
  type RegisteredClient,
  registrationKinds,
} from '../records/client-record.ts';

const texts = z.array(z.string());
const optional = z.string().nullable();

/** A client as both families show it. */
export const clientSchema = z.strictObject({
  id: z.string(),
  clientId: z.string().describe('The same as `id`'),
  name: z.string(),
  type: z.enum(['confidential', 'public']),
  registration: z
    .enum(registrationKinds)
    .describe('Who says what it is: an administrator, the client itself, or the document at its id'),
  applicationType: z.enum(applicationTypes).nullable().describe('Null: the redirect URIs tell it'),
  subject: z.string().describe('As the engine knows it, where it acts for itself: `oauth_client:{id}`'),
  tokenEndpointAuthMethod: z.enum(authMethods),
  redirectUris: texts,
  postLogoutRedirectUris: texts,
  grantTypes: z.array(z.enum(grantTypes)),
  responseTypes: z.array(z.literal('code')),
  scopes: texts.describe('The most that it may ask for'),
  roles: texts.describe('Slugs of the roles that it has where it acts for itself'),
  permissions: texts.describe('Slugs of the permissions that it has by themselves'),
  contacts: texts,
  clientUri: optional,
  logoUri: optional,
  policyUri: optional,
  tosUri: optional,
  jwks: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).nullable(),
  jwksUri: optional,
  backchannelLogoutUri: optional,
  ...optionSchemas,
  isActive: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
  secretRotatedAt: optional,
  lastUsedAt: optional,
});

export const clientWithSecretSchema = clientSchema.extend({
  clientSecret: z.string().nullable().describe('Shown only once; null if the client authenticates without one'),
});

type ClientView = z.output<typeof clientSchema>;

/** To be called inside a snapshot. */
export function clientView(store: Store, { id, document }: RegisteredClient): ClientView {
  const subject = clientSubject(id);
  return {
    id,
    clientId: id,
    name: document.name,
    type: document.type,
    registration: document.kind,
    applicationType: document.applicationType ?? null,
    subject,
    tokenEndpointAuthMethod: document.authMethod,
    redirectUris: [...document.redirectUris],
    postLogoutRedirectUris: [...document.postLogoutRedirectUris],
    grantTypes: [...document.grantTypes],
    responseTypes: [...document.responseTypes],
    scopes: [...document.scopes],
    roles: slugsOf(store, subject, 'role'),
    permissions: slugsOf(store, subject, 'permission'),
    contacts: [...document.contacts],
    clientUri: document.clientUri ?? null,
    logoUri: document.logoUri ?? null,
    policyUri: document.policyUri ?? null,
    tosUri: document.tosUri ?? null,
    jwks: document.jwks === undefined ? null : { keys: document.jwks.keys.map((key) => ({ ...key })) },
    jwksUri: document.jwksUri ?? null,
    backchannelLogoutUri: document.backchannelLogoutUri ?? null,
    ...shownOptions(document),
    isActive: document.isActive,
    createdAt: isoTime(document.createdAt),
    updatedAt: isoTime(document.updatedAt),
    secretRotatedAt: isoTimeOrNull(document.secretRotatedAt),
    lastUsedAt: isoTimeOrNull(document.lastUsedAt),
  };
}

/** `optionsOf`, with objects that a caller may keep. */
function shownOptions(document: RegisteredClient['document']) {
  const { federatedCredentials, ...options } = optionsOf(document);
  return { ...options, federatedCredentials: federatedCredentials.map((each) => ({ ...each })) };
}
