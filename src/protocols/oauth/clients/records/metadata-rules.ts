import { scimScope } from '../../../../directory/permissions/index.ts';
import { hasOwnKeys, keyFault } from '../../../../directory/records/index.ts';
import type { AdminDependencies } from '../../../../kernel/transactions/index.ts';
import { type OutboundGuard, urlFault } from '../../../../platform/index.ts';
import { optionOf } from './client-options.ts';
import { type ClientMetadata, deviceCodeGrant, jwtBearerGrant, tokenExchangeGrant } from './client-record.ts';
import { isOnDevice, type RedirectFault, redirectFault, typeFault } from './redirect-uris.ts';

export interface ClientDependencies extends AdminDependencies {
  readonly outbound: OutboundGuard;
}

/** What is wrong, and with which field. */
export interface MetadataFault {
  readonly field: keyof ClientMetadata;
  /** The index in a list. */
  readonly index?: number;
  readonly message: string;
}

type Rule = (metadata: ClientMetadata, outbound: OutboundGuard) => MetadataFault | undefined;

/** In this order; the first that does not hold is told. */
const rules: readonly Rule[] = [
  methodFitsType,
  grantsFitType,
  grantsFitEachOther,
  responsesFitGrants,
  redirectsFit,
  redirectsFitApplication,
  keysFitMethod,
  lifetimeFitsScope,
  logoutIsReachable,
  linksAreSafe,
];

/** Whether a client can be so; both administrators and registrations keep to it. */
export function metadataFault(metadata: ClientMetadata, outbound: OutboundGuard): MetadataFault | undefined {
  for (const rule of rules) {
    const fault = rule(metadata, outbound);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function methodFitsType({ type, authMethod }: ClientMetadata): MetadataFault | undefined {
  if ((type === 'public') === (authMethod === 'none')) return undefined;
  return { field: 'authMethod', message: `${authMethod} is not for a ${type} client` };
}

const provingGrants: ReadonlySet<string> = new Set(['client_credentials', tokenExchangeGrant, jwtBearerGrant]);

/** Whoever proves nothing gets nothing in its own name (RFC 6749, 4.4), and exchanges nothing. */
function grantsFitType({ type, grantTypes }: ClientMetadata): MetadataFault | undefined {
  if (type !== 'public') return undefined;
  const index = grantTypes.findIndex((each) => provingGrants.has(each));
  return index < 0
    ? undefined
    : { field: 'grantTypes', index, message: `${grantTypes[index]} is not for a public client` };
}

function grantsFitEachOther({ grantTypes }: ClientMetadata): MetadataFault | undefined {
  if (new Set(grantTypes).size !== grantTypes.length) return { field: 'grantTypes', message: 'names one twice' };
  const index = grantTypes.indexOf('refresh_token');
  const begins = ['authorization_code', deviceCodeGrant, tokenExchangeGrant] as const;
  if (index < 0 || begins.some((each) => grantTypes.includes(each))) return undefined;
  return { field: 'grantTypes', index, message: 'refresh_token needs a grant that issues one' };
}

function responsesFitGrants({ grantTypes, responseTypes }: ClientMetadata): MetadataFault | undefined {
  const hasCode = grantTypes.includes('authorization_code');
  if (hasCode === responseTypes.length > 0) return undefined;
  return { field: 'responseTypes', message: hasCode ? 'code is needed' : 'code needs the grant authorization_code' };
}

function redirectsFit({ type, grantTypes, redirectUris, postLogoutRedirectUris }: ClientMetadata) {
  if (grantTypes.includes('authorization_code') && redirectUris.length === 0) {
    return { field: 'redirectUris', message: 'at least one is needed' } as const;
  }
  const fault = (field: 'redirectUris' | 'postLogoutRedirectUris', uris: readonly string[]) =>
    listFault(field, uris, (uri, index) =>
      uris.indexOf(uri) < index ? 'is there twice' : redirectFault(uri, type === 'public'),
    );
  return fault('redirectUris', redirectUris) ?? fault('postLogoutRedirectUris', postLogoutRedirectUris);
}

/** What an application is: as it says, or as its redirect URIs tell. */
export function applicationTypeOf({
  applicationType,
  redirectUris,
}: Pick<ClientMetadata, 'applicationType' | 'redirectUris'>): 'web' | 'native' {
  return applicationType ?? (redirectUris.some(isOnDevice) ? 'native' : 'web');
}

function redirectsFitApplication({ applicationType, redirectUris }: ClientMetadata): MetadataFault | undefined {
  return applicationType && listFault('redirectUris', redirectUris, (uri) => typeFault(uri, applicationType));
}

function listFault(
  field: 'redirectUris' | 'postLogoutRedirectUris',
  uris: readonly string[],
  faultOf: (uri: string, index: number) => RedirectFault,
): MetadataFault | undefined {
  for (const [index, uri] of uris.entries()) {
    const message = faultOf(uri, index);
    if (message !== undefined) return { field, index, message };
  }
  return undefined;
}

function keysFitMethod(metadata: ClientMetadata, outbound: OutboundGuard): MetadataFault | undefined {
  const isByKey = metadata.authMethod === 'private_key_jwt';
  if (isByKey && !hasOwnKeys(metadata)) {
    return { field: 'jwks', message: 'private_key_jwt needs jwks, jwksUri or federatedCredentials' };
  }
  if (!isByKey && optionOf(metadata, 'federatedCredentials').length > 0) {
    return { field: 'federatedCredentials', message: 'need the method private_key_jwt' };
  }
  return keyFault(metadata, outbound);
}

/** Tokens that open nothing but SCIM may live longer than others. */
function lifetimeFitsScope(metadata: ClientMetadata): MetadataFault | undefined {
  const { scopes, grantTypes } = metadata;
  if (optionOf(metadata, 'accessTokenLifetime') === null) return undefined;
  if (scopes.includes(scimScope) && grantTypes.includes('client_credentials')) return undefined;
  return { field: 'accessTokenLifetime', message: 'needs the scope scim and the grant client_credentials' };
}

/** The one that the service calls beside those of keys. */
function logoutIsReachable(
  { backchannelLogoutUri: text }: ClientMetadata,
  outbound: OutboundGuard,
): MetadataFault | undefined {
  const message = text === undefined ? undefined : urlFault(outbound, text);
  return message === undefined ? undefined : { field: 'backchannelLogoutUri', message };
}

/** Addresses that people follow from the pages of sign-in: never a script, never in the clear. */
function linksAreSafe(metadata: ClientMetadata): MetadataFault | undefined {
  for (const field of ['clientUri', 'logoUri', 'policyUri', 'tosUri'] as const) {
    const text = metadata[field];
    if (text === undefined) continue;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') {
      return { field, message: 'must be an https URL that names no user' };
    }
  }
  return undefined;
}
