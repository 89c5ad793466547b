import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { readSettings } from '../../directory/settings/index.ts';
import { type DocumentOf, defineRecord } from '../../kernel/records/index.ts';
import type { SealBinding, Sealer } from '../../platform/index.ts';
import { discoveredSchema } from './discovery/discover.ts';
import { detailNames, type SecretName, secretNames, typeNames } from './provider-types.ts';

/** Providers through which users may sign in. Ids are in the order of creation. Times are in milliseconds. */
export const providerRecords = defineRecord({
  collection: 'social_providers',
  holds: 'a provider of sign-in, with its secrets sealed',
  schema: z.strictObject({
    /** The id in the tenant family: never given twice. */
    number: z.int(),
    /** The identifier in paths and callback URLs: the type, or for several of one type `oidc-acme`. */
    provider: z.string(),
    type: z.enum(typeNames),
    name: z.string(),
    clientId: z.string(),
    enabled: z.boolean(),
    /** New users may come through it. */
    allowSignup: z.boolean(),
    /** Whoever comes through it is linked to the user with their email address, where sign-in's rules admit it. */
    autoLinkUsers: z.boolean(),
    /**
     * Domains whose email addresses are the provider's own users': the organization says so, and then it is believed
     * whose an address there is. Absent: none but those that the type of provider is known to run.
     */
    trustedDomains: z.array(z.string()).readonly().exactOptional(),
    scopes: z.array(z.string()).readonly(),
    details: z.partialRecord(z.enum(detailNames), z.string()).readonly(),
    /** Sealed. */
    secrets: z.partialRecord(z.enum(secretNames), z.string()).readonly(),
    /** Of the issuer, where there is one. */
    discovered: discoveredSchema.exactOptional(),
    createdAt: z.number(),
    updatedAt: z.number(),
  }),
  unique: ({ provider, number }) => ({ provider, number: String(number) }),
});

export type ProviderRecord = DocumentOf<typeof providerRecords>;
export type ProviderEntry = RecordEntry<ProviderRecord>;

/**
 * Providers that are gone and have left identities behind: their ids, until all of those are gone. Such an id is never
 * used again, so that in the meantime they open nothing.
 */
export const goneProviderRecords = defineRecord({
  collection: 'social_providers_gone',
  holds: 'a provider that is gone, until the identities that it left behind are',
  schema: z.strictObject({}),
});

export const PROVIDERS_MAX = 100;

/** By its identifier, or by its id. */
export function findProvider(store: Store, name: string): ProviderEntry | undefined {
  return providerRecords.byUnique(store, 'provider', name) ?? providerRecords.get(store, name);
}

export function findByNumber(store: Store, number: number): ProviderEntry | undefined {
  return providerRecords.byUnique(store, 'number', String(number));
}

/** Those through which people may sign in now. To be called inside `Engine.read`. */
export function usableProviders(store: Store): ProviderEntry[] {
  if (!readSettings(store).signIn.allowSocial) return [];
  return providerRecords.list(store).filter(({ document }) => document.enabled);
}

/** The one with this identifier, where people may sign in through it now. */
export function usableProvider(store: Store, identifier: string): ProviderEntry | undefined {
  return usableProviders(store).find(({ document }) => document.provider === identifier);
}

/** Where a secret of a provider belongs: it opens nowhere else. */
export function providerBinding(organizationId: string, id: string, field: SecretName): SealBinding {
  return { organization: organizationId, record: `${providerRecords.collection}/${id}`, field };
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

/** Where providers send people back to: `base` is the organization's, from the configuration and never from a request. */
export function callbackUrl(orgApi: string, provider: string): string {
  return `${orgApi}/oauth/social/${provider}/callback`;
}
