import { diff, type RequestFacts } from '../../kernel/audit/index.ts';
import type { Caller, Organization } from '../../kernel/organizations/index.ts';
import { auditEventOf } from '../../kernel/resources/index.ts';
import {
  type AdminDependencies,
  existing,
  type Numbers,
  notFound,
  refused,
  Transaction,
  taken,
  transact,
} from '../../kernel/transactions/index.ts';
import type { OutboundGuard, Sealer } from '../../platform/index.ts';
import { type Discovered, discover } from './discovery/discover.ts';
import {
  type InputMode,
  isUsable,
  keepSecretWithIssuer,
  mergedDetails,
  type ProviderInput,
  requireAddresses,
  requireFields,
} from './provider-input.ts';
import {
  goneProviderRecords,
  PROVIDERS_MAX,
  type ProviderEntry,
  type ProviderRecord,
  providerBinding,
  providerRecords,
} from './provider-record.ts';
import { type SecretName, type TypeName, typeOf } from './provider-types.ts';

export interface SocialDependencies extends AdminDependencies {
  readonly numbers: Numbers;
  readonly sealer: Sealer;
  readonly outbound: OutboundGuard;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** Finds the provider that a request is about, in the snapshot that judges. */
export type Finder = (store: Organization['store']) => ProviderEntry | undefined;

/** A provider that is to be made. */
export interface NewProvider {
  readonly type: TypeName;
  /** `undefined`: the type's own name, or one with a number where that is taken and several may be. */
  readonly identifier: string | undefined;
}

export interface Saved {
  readonly id: string;
  readonly created: boolean;
}

interface Fresh extends NewProvider {
  readonly id: string;
  readonly number: number;
}

interface Wish {
  readonly find: Finder;
  readonly fresh: Fresh | undefined;
  readonly input: ProviderInput;
  readonly mode: InputMode;
}

/** 409 where it is there. @returns the id of the provider */
export async function createProvider(
  dependencies: SocialDependencies,
  caller: Caller,
  facts: RequestFacts,
  wanted: NewProvider,
  input: ProviderInput,
): Promise<string> {
  const fresh = await freshOf(dependencies, caller, wanted);
  const { id } = await save(dependencies, caller, facts, { find: () => undefined, fresh, input, mode: 'replace' });
  return id;
}

/** Made where it is not there, replaced where it is. */
export async function upsertProvider(
  dependencies: SocialDependencies,
  caller: Caller,
  facts: RequestFacts,
  find: Finder,
  wanted: NewProvider,
  input: ProviderInput,
): Promise<Saved> {
  const isThere = dependencies.engine.read(() => find(caller.organization.store)) !== undefined;
  const fresh = isThere ? undefined : await freshOf(dependencies, caller, wanted);
  return save(dependencies, caller, facts, { find, fresh, input, mode: 'replace' });
}

/** 404 where it is not there. @returns the id of the provider */
export async function updateProvider(
  dependencies: SocialDependencies,
  caller: Caller,
  facts: RequestFacts,
  find: Finder,
  input: ProviderInput,
): Promise<string> {
  const { id } = await save(dependencies, caller, facts, { find, fresh: undefined, input, mode: 'merge' });
  return id;
}

export function deleteProvider(transaction: Transaction, find: Finder): void {
  transaction.require('settings.manage');
  const entry = existing(transaction.rely(providerRecords, find(transaction.store)));
  transaction.delete(providerRecords, entry.id);
  transaction.put(goneProviderRecords, entry.id, {});
  transaction.audit(auditEventOf(told, 'delete', entry));
}

async function freshOf(
  { numbers, audit }: SocialDependencies,
  { organization: { store } }: Caller,
  wanted: NewProvider,
): Promise<Fresh> {
  return { ...wanted, id: audit.newId(), number: await numbers.next(store.name, providerRecords.collection) };
}

async function save(dependencies: SocialDependencies, caller: Caller, facts: RequestFacts, wish: Wish): Promise<Saved> {
  const { engine, outbound, clock } = dependencies;
  requireAddresses(outbound, wish.input);
  // what is wrong with the request itself is found before anybody is asked
  engine.read(() => saveProvider(new Transaction(dependencies, caller, clock.now()), wish, undefined));
  const { issuerUrl } = wish.input.details;
  const discovered = typeof issuerUrl === 'string' ? await discover(outbound, issuerUrl) : undefined;
  return transact(dependencies, caller, facts, (transaction) => saveProvider(transaction, wish, discovered));
}

function saveProvider(
  transaction: Transaction<SocialDependencies>,
  wish: Wish,
  discovered: Discovered | undefined,
): Saved {
  const { store } = transaction;
  transaction.require('settings.manage');
  const before = wish.find(store);
  const { id } = existing(before ?? wish.fresh);
  if (before === undefined) {
    transaction.requireFewer(providerRecords, PROVIDERS_MAX, `An organization has at most ${PROVIDERS_MAX} providers.`);
  }
  const document = documentOf(transaction, id, before?.document, wish, discovered);
  const changes = diff(flat(before?.document), flat(document));
  if (Object.keys(changes).length > 0) {
    transaction.expect([providerRecords.asRead(store, id, before)]);
    transaction.put(providerRecords, id, document);
    const entry = { id, version: before?.version ?? 0, document };
    transaction.audit(auditEventOf(told, before === undefined ? 'create' : 'update', entry, { changes }));
  }
  return { id, created: before === undefined };
}

function documentOf(
  { dependencies, caller: { organization }, now }: Transaction<SocialDependencies>,
  id: string,
  before: ProviderRecord | undefined,
  { fresh, input, mode }: Wish,
  discovered: Discovered | undefined,
): ProviderRecord {
  const identity = before ?? identityOf(organization, fresh, now);
  const { type } = identity;
  const kept = mode === 'merge' ? before : undefined;
  const details = mergedDetails(before, input, mode);
  const secrets = { ...before?.secrets, ...sealed(dependencies, organization, id, input) };
  const clientId = input.clientId ?? kept?.clientId ?? '';
  requireFields(type, input, { details, secrets, clientId });
  keepSecretWithIssuer(before, details, input);
  const usable = isUsable(type, details);
  if (!usable && input.enabled === true) throw refused('Set metadataUrl, or entryPoint and certificate.', 'enabled');
  const known = discovered ?? before?.discovered;
  const trustedDomains = input.trustedDomains ?? kept?.trustedDomains ?? [];
  return {
    number: identity.number,
    provider: identity.provider,
    type,
    name: input.name ?? kept?.name ?? typeOf(type).name,
    clientId,
    enabled: usable && (input.enabled ?? kept?.enabled ?? true),
    allowSignup: input.allowSignup ?? before?.allowSignup ?? true,
    autoLinkUsers: input.autoLinkUsers ?? before?.autoLinkUsers ?? false,
    scopes: input.scopes ?? kept?.scopes ?? typeOf(type).defaultScopes,
    ...(trustedDomains.length === 0 ? {} : { trustedDomains }),
    details,
    secrets,
    ...(known === undefined ? {} : { discovered: known }),
    createdAt: identity.createdAt,
    updatedAt: now,
  };
}

function sealed(
  { sealer }: SocialDependencies,
  organization: Organization,
  id: string,
  { secrets }: ProviderInput,
): ProviderRecord['secrets'] {
  const entries = Object.entries(secrets) as [SecretName, string][];
  return Object.fromEntries(
    entries.map(([name, plain]) => [name, sealer.seal(plain, providerBinding(organization.id, id, name))]),
  );
}

/** What of a provider never changes. */
function identityOf(
  { store }: Organization,
  fresh: Fresh | undefined,
  now: number,
): Pick<ProviderRecord, 'number' | 'provider' | 'type' | 'createdAt'> {
  if (fresh === undefined) throw notFound();
  const all = providerRecords.list(store);
  const isTaken = (name: string): boolean => all.some(({ document }) => document.provider === name);
  const { type, number } = fresh;
  const wanted = fresh.identifier ?? type;
  if (!isTaken(wanted)) return { number, provider: wanted, type, createdAt: now };
  if (fresh.identifier !== undefined || !typeOf(type).several) {
    throw taken(fresh.identifier === undefined ? 'type' : 'provider', 'This provider is configured already.');
  }
  return { number, provider: `${type}-${number}`, type, createdAt: now };
}

/** How the audit log tells of providers. */
const told = {
  name: 'social_provider',
  audited: ({ document: { provider } }: ProviderEntry) => ({ metadata: { provider } }),
};

/** For the audit log, which shows of a secret only that it changed. */
function flat(record: ProviderRecord | undefined): object | undefined {
  if (record === undefined) return undefined;
  const { details, secrets, discovered, createdAt: _, updatedAt: __, ...fields } = record;
  return { ...fields, ...details, ...secrets, discovered };
}
