import type { RecordEntry, RecordWrite, Store } from '#engine';
import { digestOf, timeKey } from '../../../platform/index.ts';
import type { ClientOptions } from './client-options.ts';
import type { PublicJwks } from './jwks.ts';
import { REDIRECTS_MAX } from './redirect-uris.ts';

/** Collection of an organization's store. A record's id is the `client_id`. */
export const clientCollection = 'clients';

export const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;
export type AuthMethod = (typeof authMethods)[number];

export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code';
export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  tokenExchangeGrant,
  deviceCodeGrant,
] as const;
export type GrantType = (typeof grantTypes)[number];

/** Where a client's pages and logo are, for people. */
export interface ClientLinks {
  readonly clientUri?: string;
  readonly logoUri?: string;
  readonly policyUri?: string;
  readonly tosUri?: string;
}

/** What a client says of itself, or an administrator of it (RFC 7591, 2). */
export interface ClientMetadata extends ClientLinks, Partial<ClientOptions> {
  readonly name: string;
  /** Whether it can keep a secret (RFC 6749, 2.1). A public one proves nothing about who it is. */
  readonly type: 'confidential' | 'public';
  readonly authMethod: AuthMethod;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly GrantType[];
  readonly responseTypes: readonly 'code'[];
  /** The most that it may ask for. */
  readonly scopes: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly contacts: readonly string[];
  /** One of the two, where it authenticates by a key. */
  readonly jwks?: PublicJwks;
  readonly jwksUri?: string;
  readonly backchannelLogoutUri?: string;
}

/** A client as it is stored: never its secret. Times are milliseconds since the epoch. */
export interface ClientRecord extends ClientMetadata {
  /** Who registered it: an administrator, or the client itself (RFC 7591). */
  readonly kind: 'admin' | 'dynamic';
  readonly isActive: boolean;
  /** SHA-256 of the secret. */
  readonly secretDigest?: string;
  readonly secretRotatedAt?: number;
  /** SHA-256 of the registration access token (RFC 7592), of a client that registered itself. */
  readonly registrationDigest?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Written at most once a minute. */
  readonly lastUsedAt?: number;
}

export type ClientEntry = RecordEntry<ClientRecord>;

export function clientWrite(id: string, document: ClientRecord): RecordWrite {
  const indexes = { '#kind': document.kind, ...idleKey(document), ...redirectKeys(document) };
  return { collection: clientCollection, id, document, indexes };
}

/** Of a client that registered itself and has never come back. */
function idleKey({ kind, lastUsedAt, createdAt }: ClientRecord): { readonly idle?: string } {
  return kind === 'dynamic' && lastUsedAt === undefined ? { idle: timeKey(createdAt) } : {};
}

/** The one of those that has waited longest, where it has for so long. To be called inside `Engine.read`. */
export function longestIdle(store: Store, idleMs: number, now: number): ClientEntry | undefined {
  const [id] = store.recordIndex(clientCollection).idsBelow('idle', timeKey(now - idleMs), 1);
  return id === undefined ? undefined : getClient(store, id);
}

/** The client, whatever its state. */
export function getClient(store: Store, clientId: string): ClientEntry | undefined {
  return store.records.get<ClientRecord>(clientCollection, clientId);
}

/** A record has one key in each index, so that each place of the list is an index of its own. */
function redirectIndex(place: number): string {
  return `redirect${place}`;
}

/** Of clients that registered themselves there are none: they could claim each other's. */
function redirectKeys({ kind, redirectUris }: ClientRecord): Readonly<Record<string, string>> {
  if (kind === 'dynamic') return {};
  return Object.fromEntries(redirectUris.map((uri, place) => [redirectIndex(place), digestOf(uri)]));
}

/** The client of an administrator that alone is registered with a redirect URI. To be called inside `Engine.read`. */
export function clientOfRedirect(store: Store, redirectUri: string): ClientEntry | undefined {
  const index = store.recordIndex(clientCollection);
  const key = digestOf(redirectUri);
  const places = Array.from({ length: REDIRECTS_MAX }, (_, place) => redirectIndex(place));
  const [only, ...others] = places.flatMap((place) => index.ids(place, key, { limit: 2 }));
  return only === undefined || others.length > 0 ? undefined : getClient(store, only);
}

/** A client that acts for itself, as the engine knows it. */
export function clientSubject(clientId: string): string {
  return `oauth_client:${clientId}`;
}

/** Whether it authenticates by a secret. */
export function hasSecret({ authMethod }: Pick<ClientMetadata, 'authMethod'>): boolean {
  return authMethod === 'client_secret_basic' || authMethod === 'client_secret_post';
}

/** What of a record is not its metadata: nobody writes it as such. */
export function stateOf(document: ClientRecord): Omit<ClientRecord, keyof ClientMetadata> {
  const { kind, isActive, secretDigest, secretRotatedAt, registrationDigest, createdAt, updatedAt, lastUsedAt } =
    document;
  return {
    kind,
    isActive,
    ...(secretDigest === undefined ? {} : { secretDigest }),
    ...(secretRotatedAt === undefined ? {} : { secretRotatedAt }),
    ...(registrationDigest === undefined ? {} : { registrationDigest }),
    createdAt,
    updatedAt,
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
  };
}
