import {
  type AdminParts,
  commitPlan,
  type Numbers,
  notFound,
  type Plan,
  refused,
  requirePermission,
  taken,
} from '../admin/index.ts';
import { diff, type RequestFacts } from '../audit/index.ts';
import type { Caller, Organization } from '../orgs/index.ts';
import type { OutboundGuard, Sealer } from '../platform/index.ts';
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

export interface SocialParts extends AdminParts {
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
  readonly entry: ProviderEntry;
  readonly created: boolean;
}

interface Fresh extends NewProvider {
  readonly id: string;
  readonly number: number;
}

/** Makes, changes and removes providers of sign-in. */
export class ProviderService {
  readonly #parts: SocialParts;

  constructor(parts: SocialParts) {
    this.#parts = parts;
  }

  /** 409 where it is there. */
  async create(caller: Caller, facts: RequestFacts, wanted: NewProvider, input: ProviderInput): Promise<ProviderEntry> {
    const fresh = await this.#fresh(caller.organization, wanted);
    const { entry } = await this.#save(caller, facts, { find: () => undefined, fresh, input, mode: 'replace' });
    return entry;
  }

  /** Made where it is not there, replaced where it is. */
  async upsert(
    caller: Caller,
    facts: RequestFacts,
    find: Finder,
    wanted: NewProvider,
    input: ProviderInput,
  ): Promise<Saved> {
    const isThere = this.#parts.engine.read(() => find(caller.organization.store)) !== undefined;
    const fresh = isThere ? undefined : await this.#fresh(caller.organization, wanted);
    return this.#save(caller, facts, { find, fresh, input, mode: 'replace' });
  }

  /** 404 where it is not there. */
  async update(caller: Caller, facts: RequestFacts, find: Finder, input: ProviderInput): Promise<ProviderEntry> {
    const { entry } = await this.#save(caller, facts, { find, fresh: undefined, input, mode: 'merge' });
    return entry;
  }

  delete(caller: Caller, facts: RequestFacts, find: Finder): Promise<void> {
    return commitPlan(this.#parts, caller, facts, () => {
      requirePermission(caller, 'settings.manage');
      const { store } = caller.organization;
      const entry = find(store);
      if (entry === undefined) throw notFound();
      const { id, document } = entry;
      return {
        changes: [providerRecords.delete(store, id), goneProviderRecords.put(store, id, {})],
        preconditions: [providerRecords.same(store, entry)],
        entries: [happening('delete', id, { provider: document.provider })],
        result: undefined,
      };
    });
  }

  async #fresh({ store }: Organization, wanted: NewProvider): Promise<Fresh> {
    const { numbers, audit } = this.#parts;
    return { ...wanted, id: audit.newId(), number: await numbers.next(store.name, providerRecords.collection) };
  }

  async #save(caller: Caller, facts: RequestFacts, wish: Wish): Promise<Saved> {
    const { engine, outbound, clock } = this.#parts;
    const planned = (discovered: Discovered | undefined) => (now: number) => {
      requirePermission(caller, 'settings.manage');
      return this.#plan(caller.organization, wish, discovered, now);
    };
    requireAddresses(outbound, wish.input);
    // what is wrong with the request itself is found before anybody is asked
    engine.read(() => planned(undefined)(clock.now()));
    const { issuerUrl } = wish.input.details;
    const discovered = typeof issuerUrl === 'string' ? await discover(outbound, issuerUrl) : undefined;
    return commitPlan(this.#parts, caller, facts, planned(discovered));
  }

  #plan(organization: Organization, wish: Wish, discovered: Discovered | undefined, now: number): Plan<Saved> {
    const { store } = organization;
    const before = wish.find(store);
    const id = before?.id ?? wish.fresh?.id;
    if (id === undefined) throw notFound();
    const document = this.#document(organization, id, before?.document, wish, discovered, now);
    const changes = diff(flat(before?.document), flat(document));
    const entry = { id, version: (before?.version ?? 0) + 1, document };
    const saved: Saved = { entry, created: before === undefined };
    if (Object.keys(changes).length === 0) return { changes: [], entries: [], result: saved };
    return {
      changes: [providerRecords.put(store, id, document)],
      preconditions: [providerRecords.asRead(store, id, before)],
      entries: [happening(before === undefined ? 'create' : 'update', id, { provider: document.provider, changes })],
      result: saved,
    };
  }

  #document(
    organization: Organization,
    id: string,
    before: ProviderRecord | undefined,
    { fresh, input, mode }: Wish,
    discovered: Discovered | undefined,
    now: number,
  ): ProviderRecord {
    const identity = before ?? identityOf(organization, fresh, now);
    const { type } = identity;
    const kept = mode === 'merge' ? before : undefined;
    const details = mergedDetails(before, input, mode);
    const secrets = { ...before?.secrets, ...this.#sealed(organization, id, input) };
    const clientId = input.clientId ?? kept?.clientId ?? '';
    requireFields(type, input, { details, secrets, clientId });
    keepSecretWithIssuer(before, details, input);
    const usable = isUsable(type, details);
    if (!usable && input.enabled === true)
      throw refused('It needs metadataUrl, or entryPoint and certificate.', 'enabled');
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

  #sealed({ id: organizationId }: Organization, id: string, { secrets }: ProviderInput): ProviderRecord['secrets'] {
    const entries = Object.entries(secrets) as [SecretName, string][];
    return Object.fromEntries(
      entries.map(([name, plain]) => [name, this.#parts.sealer.seal(plain, providerBinding(organizationId, id, name))]),
    );
  }
}

interface Wish {
  readonly find: Finder;
  readonly fresh: Fresh | undefined;
  readonly input: ProviderInput;
  readonly mode: InputMode;
}

/** What of a provider never changes. */
function identityOf(
  { store }: Organization,
  fresh: Fresh | undefined,
  now: number,
): Pick<ProviderRecord, 'number' | 'provider' | 'type' | 'createdAt'> {
  if (fresh === undefined) throw notFound();
  const all = providerRecords.list(store);
  if (all.length >= PROVIDERS_MAX) throw refused(`An organization has at most ${PROVIDERS_MAX} providers.`);
  const isTaken = (name: string): boolean => all.some(({ document }) => document.provider === name);
  const { type, number } = fresh;
  const wanted = fresh.identifier ?? type;
  if (!isTaken(wanted)) return { number, provider: wanted, type, createdAt: now };
  if (fresh.identifier !== undefined || !typeOf(type).several) {
    throw taken(fresh.identifier === undefined ? 'type' : 'provider', 'This provider is configured already.');
  }
  return { number, provider: `${type}-${number}`, type, createdAt: now };
}

function happening(verb: 'create' | 'update' | 'delete', id: string, metadata: Readonly<Record<string, unknown>>) {
  return {
    eventType: 'admin.action',
    action: `social_provider.${verb}`,
    targetType: 'social_provider',
    targetId: id,
    metadata,
  };
}

/** For the audit log, which shows of a secret only that it changed. */
function flat(record: ProviderRecord | undefined): object | undefined {
  if (record === undefined) return undefined;
  const { details, secrets, discovered, createdAt: _, updatedAt: __, ...fields } = record;
  return { ...fields, ...details, ...secrets, discovered };
}
