import type { Precondition, RecordEntry, RecordWrite, Store } from '#engine';
import type { SealBinding, Sealer } from '../platform/index.ts';
import { readSettings } from '../settings/index.ts';
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
  /**
   * Domains whose e-mail addresses are the provider's own users': the organization says so, and then it is believed
   * whose an address there is. Absent: none but those that the type of provider is known to run.
   */
  readonly trustedDomains?: readonly string[];
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

/**
 * Collection of the providers that are gone and have left identities behind: an id here, until all of those are gone.
 * The record's id is never used again, so that in the meantime they open nothing.
 */
export const goneCollection = 'social_providers_gone';

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

/** Those through which people may sign in now. To be called inside `Engine.read`. */
export function usableProviders(store: Store): ProviderEntry[] {
  if (!readSettings(store).signIn.allowSocial) return [];
  return allProviders(store).filter(({ document }) => document.enabled);
}

/** The one with this identifier, where people may sign in through it now. */
export function usableProvider(store: Store, identifier: string): ProviderEntry | undefined {
  return usableProviders(store).find(({ document }) => document.provider === identifier);
}

export function providerUnchanged({ name: store }: Store, { id, version }: ProviderEntry): Precondition {
  return { require: 'record_version', store, collection: providerCollection, id, version };
}

export function getProvider(store: Store, id: string): ProviderEntry | undefined {
  return store.records.get<ProviderRecord>(providerCollection, id);
}

/** Where a secret of a provider belongs: it opens nowhere else. */
export function providerBinding(organizationId: string, id: string, field: SecretName): SealBinding {
  return { organization: organizationId, record: `${providerCollection}/${id}`, field };
}

/** What a provider knows us by, in plain text: for the moment in which it is asked. */
export type OpenSecrets = Readonly<Partial<Record<SecretName, string>>>;

/** @throws SealError where they were sealed by another key */
export function openSecrets(sealer: Sealer, organizationId: string, { id, document }: ProviderEntry): OpenSecrets {
  const sealed = Object.entries(document.secrets) as [SecretName, string][];
  return Object.fromEntries(
    sealed.map(([name, text]) => [name, sealer.open(text, providerBinding(organizationId, id, name))]),
  );
}
