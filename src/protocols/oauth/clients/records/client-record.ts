import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { hasOwnKeys } from '../../../../directory/records/index.ts';
import { type DocumentOf, defineRecord, type Keys } from '../../../../kernel/records/index.ts';
import { digestOf, firstTime, storedJwksSchema, timeKey } from '../../../../platform/index.ts';
import { optionFields } from './client-options.ts';
import { REDIRECTS_MAX } from './redirect-uris.ts';

export const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;
export type AuthMethod = (typeof authMethods)[number];

export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code';
export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  tokenExchangeGrant,
  deviceCodeGrant,
  jwtBearerGrant,
] as const;
export type GrantType = (typeof grantTypes)[number];

/** Who says what a client is: an administrator, the client at its registration, or the document at its `client_id`. */
export const registrationKinds = ['admin', 'dynamic', 'document'] as const;

export const applicationTypes = ['web', 'native'] as const;

/** What a client can be without. */
const optionalFields = {
  /** Absent where nobody has said it: the redirect URIs tell it then, see `applicationTypeOf`. */
  applicationType: z.enum(applicationTypes).exactOptional(),
  // where its pages and its logo are, for people
  clientUri: z.string().exactOptional(),
  logoUri: z.string().exactOptional(),
  policyUri: z.string().exactOptional(),
  tosUri: z.string().exactOptional(),
  /** One of the two, where it authenticates by a key. */
  jwks: storedJwksSchema.exactOptional(),
  jwksUri: z.string().exactOptional(),
  backchannelLogoutUri: z.string().exactOptional(),
};

export const optionalMetadata = Object.keys(optionalFields) as (keyof typeof optionalFields)[];

/** What a client says of itself, or an administrator of it (RFC 7591, 2). */
const metadataFields = {
  ...optionFields,
  ...optionalFields,
  name: z.string(),
  /** Whether it can keep a secret (RFC 6749, 2.1). A public one proves nothing about who it is. */
  type: z.enum(['confidential', 'public']),
  authMethod: z.enum(authMethods),
  redirectUris: z.array(z.string()).readonly(),
  grantTypes: z.array(z.enum(grantTypes)).readonly(),
  responseTypes: z.array(z.literal('code')).readonly(),
  /** The most that it may ask for. */
  scopes: z.array(z.string()).readonly(),
  postLogoutRedirectUris: z.array(z.string()).readonly(),
  contacts: z.array(z.string()).readonly(),
};

export type ClientMetadata = Readonly<z.output<z.ZodObject<typeof metadataFields>>>;

/** When a client's document was read, and what it asks for. Times are in milliseconds. */
const readDocumentSchema = z.strictObject({
  readAt: z.number(),
  /** Until then it is not read again. */
  freshUntil: z.number(),
  /** Scopes that it names; absent where it leaves open what it may ask for. */
  scopes: z.array(z.string()).readonly().exactOptional(),
});

/** What of a record is not its metadata: nobody writes it as such. Times are in milliseconds. */
const stateFields = {
  kind: z.enum(registrationKinds),
  /** Of a client that is a document. */
  document: readDocumentSchema.exactOptional(),
  isActive: z.boolean(),
  /** SHA-256 of the secret. */
  secretDigest: z.string().exactOptional(),
  secretRotatedAt: z.number().exactOptional(),
  /** SHA-256 of the registration access token (RFC 7592), of a client that registered itself. */
  registrationDigest: z.string().exactOptional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  /** Written at most once a minute. */
  lastUsedAt: z.number().exactOptional(),
};

/**
 * Clients, never with their secrets. A record's id is the `client_id`: made here, or the address of the client's document.
 */
export const clientRecords = defineRecord({
  collection: 'clients',
  holds: 'an OAuth client, with the digests of its secrets',
  schema: z.strictObject({ ...metadataFields, ...stateFields }),
  indexes: (document): Keys => ({ '#kind': document.kind, ...idleKeys(document), ...redirectKeys(document) }),
  exported: ({ secretDigest: _, registrationDigest: __, ...rest }) => rest,
});

export type ClientRecord = DocumentOf<typeof clientRecords>;
export type RegisteredClient = RecordEntry<ClientRecord>;

/** A client as the protocol meets it: one that is registered, or an agent, which has no record here. */
export interface ClientDocument extends Omit<ClientRecord, 'kind'> {
  readonly kind: ClientRecord['kind'] | 'agent';
}

export type ClientEntry = RecordEntry<ClientDocument>;

/** Clients that are gone and may have left consents behind: their ids, until all of those are gone. */
export const goneClientRecords = defineRecord({
  collection: 'clients_gone',
  holds: 'a client that is gone, until the consents that it left behind are',
  schema: z.strictObject({}),
});

const idleIndex = { dynamic: 'idle', document: 'idle_document' } as const;

export type ReadDocument = Readonly<z.output<typeof readDocumentSchema>>;

/** Of a client that came by itself and has never got a token; of a document, also when it was last used. */
function idleKeys({ kind, lastUsedAt, createdAt }: ClientRecord): Keys {
  if (kind === 'admin') return {};
  const idle: Keys = lastUsedAt === undefined ? { [idleIndex[kind]]: timeKey(createdAt) } : {};
  return kind === 'document' ? { ...idle, used: timeKey(lastUsedAt ?? createdAt) } : idle;
}

/** Most clients of an organization that have come by themselves, in each of the two ways. */
const COME_MAX = 10_000;
/** Beyond that, a client that got no token for so long since it came gives way to a new one. */
const IDLE_MS = 86_400_000;

/**
 * The client that makes room for another one that comes by itself, so that unused clients keep nobody out. To be called
 * inside `Engine.read`.
 */
export function givingWay(
  store: Store,
  kind: keyof typeof idleIndex,
  now: number,
): readonly RegisteredClient[] | 'full' {
  const index = clientRecords.index(store);
  if (index.counted('#kind', kind) < COME_MAX) return [];
  const [id] = index.idsBelow(idleIndex[kind], timeKey(now - IDLE_MS), 1);
  const idle = id === undefined ? undefined : clientRecords.get(store, id);
  return idle === undefined ? 'full' : [idle];
}

/** The last use of the document that was not used for longest; infinity where there are none. Inside `Engine.read`. */
export function longestUnused(store: Store): number {
  return firstTime(clientRecords.index(store), 'used');
}

/** A record has one key in each index, so that each entry of the list has an index of its own. */
function redirectIndex(index: number): string {
  return `redirect${index}`;
}

/** Documents that nobody has used since a time, at most `limit`. To be called inside `Engine.read`. */
export function unusedDocuments(store: Store, before: number, limit: number): string[] {
  return clientRecords.index(store).idsBelow('used', timeKey(before), limit);
}

/** Clients that came by themselves have none: they could claim each other's. */
function redirectKeys({ kind, redirectUris }: ClientRecord): Readonly<Record<string, string>> {
  if (kind !== 'admin') return {};
  return Object.fromEntries(redirectUris.map((uri, index) => [redirectIndex(index), digestOf(uri)]));
}

/** The client of an administrator that alone is registered with a redirect URI. To be called inside `Engine.read`. */
export function clientOfRedirect(store: Store, redirectUri: string): ClientEntry | undefined {
  const index = clientRecords.index(store);
  const key = digestOf(redirectUri);
  const indexes = Array.from({ length: REDIRECTS_MAX }, (_, entry) => redirectIndex(entry));
  const [only, ...others] = indexes.flatMap((name) => index.ids(name, key, { limit: 2 }));
  return only === undefined || others.length > 0 ? undefined : clientRecords.get(store, only);
}

/** A client that acts for itself, as the engine knows it. */
export function clientSubject(clientId: string): string {
  return `oauth_client:${clientId}`;
}

/** Whether a client may prove who it is in this way: an agent by its key, and by keys of its own where it has some. */
export function provesBy(document: ClientDocument, way: 'secret' | 'assertion'): boolean {
  if (way === 'secret') return hasSecret(document);
  return document.kind === 'agent' ? hasOwnKeys(document) : document.authMethod === 'private_key_jwt';
}

/** Whether no administrator stands behind it: then it can be anybody, under any name. */
export function comesByItself({ kind }: Pick<ClientDocument, 'kind'>): boolean {
  return kind === 'dynamic' || kind === 'document';
}

/** Whether it authenticates by a secret. */
export function hasSecret({ authMethod }: Pick<ClientMetadata, 'authMethod'>): boolean {
  return authMethod === 'client_secret_basic' || authMethod === 'client_secret_post';
}

/** A record without its metadata. */
export function stateOf(document: ClientRecord): Omit<ClientRecord, keyof ClientMetadata> {
  const state = Object.entries(document).filter(([name]) => Object.hasOwn(stateFields, name));
  return Object.fromEntries(state) as Omit<ClientRecord, keyof ClientMetadata>;
}
