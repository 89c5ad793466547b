import type { RecordEntry, RecordWrite, Store } from '#engine';
import type { SealBinding } from '../platform/index.ts';
import type { Discovered } from './discovery/discover.ts';
import type { DetailName, SecretName, TypeName } from './provider-types.ts';

/** Collection of an organization's store. */
export const providerCollection = 'social_providers';

/** A provider through which users may sign in. Times are milliseconds since the epoch. */
export interface ProviderRecord {
  /** The id in the tenant family: never given twice. */
  readonly number: number;
  /** The identifier in paths and callback URLs: the type, or for several of one type `oidc-acme`. */
  readonly provider: string;
  readonly type: TypeName;
  readonly name: string;
  readonly clientId: string;
  readonly enabled: boolean;
  /** New users may come through it. */
  readonly allowSignup: boolean;
  /** Whoever comes through it is linked to the user with their e-mail address, where sign-in's rules admit it. */
  readonly autoLinkUsers: boolean;
  readonly scopes: readonly string[];
  readonly details: Readonly<Partial<Record<DetailName, string>>>;
  /** Sealed. */
  readonly secrets: Readonly<Partial<Record<SecretName, string>>>;
  /** Of the issuer, where there is one. */
  readonly discovered?: Discovered;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type ProviderEntry = RecordEntry<ProviderRecord>;

export const PROVIDERS_MAX = 100;

export function providerWrite(id: string, document: ProviderRecord): RecordWrite {
  const unique = { provider: document.provider, number: String(document.number) };
  return { collection: providerCollection, id, document, unique };
}

/** All of an organization's, in the order of their creation. To be called inside `Engine.read`. */
export function allProviders(store: Store): ProviderEntry[] {
  return store.records.list<ProviderRecord>(providerCollection);
}

/** By its identifier, or by its id. */
export function findProvider(store: Store, name: string): ProviderEntry | undefined {
  const { records } = store;
  return (
    records.byUnique<ProviderRecord>(providerCollection, 'provider', name) ??
    records.get<ProviderRecord>(providerCollection, name)
  );
}

export function findByNumber(store: Store, number: number): ProviderEntry | undefined {
  return store.records.byUnique<ProviderRecord>(providerCollection, 'number', String(number));
}

/** Where a secret of a provider belongs: it opens nowhere else. */
export function providerBinding(organizationId: string, id: string, field: SecretName): SealBinding {
  return { organization: organizationId, record: `${providerCollection}/${id}`, field };
}
