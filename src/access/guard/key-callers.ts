import { type Precondition, SecondChanceCache } from '#engine';
import {
  agentRecords,
  agentSubject,
  findAgent,
  findKey,
  findScimToken,
  getKey,
  keyRecords,
  keySubject,
  networksOf,
  scimTokenRecords,
  scimTokenSubject,
} from '../../directory/records/index.ts';
import type { Visit } from '../../http/index.ts';
import type { UseNote } from '../../kernel/commits/index.ts';
import { type Organization, type Validity, writtenAt } from '../../kernel/organizations/index.ts';
import { type AddressList, apiKeyKind } from '../../platform/index.ts';
import { ProvisioningCaller } from '../../protocols/scim/index.ts';
import { type Judgement, SubjectCaller } from './callers.ts';

export interface KnownKey<Caller> {
  readonly organization: Organization;
  readonly caller: Caller;
  readonly id: string;
  readonly version: number;
  /** Milliseconds since the epoch; infinity where it has no expiry. */
  readonly expiresAt: number;
  /** From where it is accepted; `undefined`: from everywhere. */
  readonly networks: AddressList | undefined;
  /** The revision at which its record was last seen to be the same. */
  revision: number;
  /** Of its last use, for who notes that. */
  use: UseNote | undefined;
}

type Store = Organization['store'];

/** A kind of key: its prefix, its records, and the caller that it identifies. */
interface KeyKind<Caller> {
  /** The kind that `apiKeyKind` reads from a key. */
  readonly kind: string;
  readonly find: (store: Store, key: string) => KeyEntry | undefined;
  readonly get: (store: Store, id: string) => Pick<KeyEntry, 'version'> | undefined;
  readonly same: (store: Store, entry: Pick<KeyEntry, 'id' | 'version'>) => Precondition;
  readonly callerOf: (organization: Organization, entry: KeyEntry, judgement: Judgement, validity: Validity) => Caller;
}

interface KeyEntry {
  readonly id: string;
  readonly version: number;
  readonly document: { readonly name: string; readonly expiresAt?: number; readonly allowedIps?: readonly string[] };
}

export const adminKeys: KeyKind<SubjectCaller> = {
  kind: 'admin',
  find: findKey,
  get: getKey,
  same: (store, entry) => keyRecords.same(store, entry),
  callerOf: (organization, { id }, judgement, validity) =>
    new SubjectCaller(organization, { subject: keySubject(id) }, judgement, validity),
};

/** One that is switched off has no key: the record that says so is another version of it. */
export const agentKeys: KeyKind<SubjectCaller> = {
  kind: 'agent',
  find(store, key) {
    const entry = findAgent(store, key);
    return entry?.document.isActive ? entry : undefined;
  },
  get: (store, id) => agentRecords.get(store, id),
  same: (store, entry) => agentRecords.same(store, entry),
  callerOf: (organization, { id }, judgement, validity) =>
    new SubjectCaller(organization, { subject: agentSubject(id) }, judgement, validity),
};

export const scimTokens: KeyKind<ProvisioningCaller> = {
  kind: 'scim',
  find: findScimToken,
  get: (store, id) => scimTokenRecords.get(store, id),
  same: (store, entry) => scimTokenRecords.same(store, entry),
  callerOf(organization, { id, version, document: { name } }, _, validity) {
    const credential = { kind: 'scim_token', id, version } as const;
    return new ProvisioningCaller(organization, { subject: scimTokenSubject(id), name, credential }, validity);
  },
};

/** About a kilobyte each. */
const KNOWN_MAX = 32_768;

/**
 * Caches the callers with keys of one kind, in one thread. After each change of the revision a cached key is checked again,
 * so that a revoked or rotated key fails with the next request in every thread.
 */
export class KeyCallers<Caller> {
  readonly #judgement: Judgement;
  readonly #kind: KeyKind<Caller>;
  readonly #known = new SecondChanceCache<string, KnownKey<Caller>>(KNOWN_MAX);

  constructor(judgement: Judgement, kind: KeyKind<Caller>) {
    this.#judgement = judgement;
    this.#kind = kind;
  }

  /** The caller with a cached key that is still valid. To be called inside `Engine.read`. */
  recall(organization: Organization, key: string): KnownKey<Caller> | undefined {
    const known = this.#known.get(key);
    if (known?.organization !== organization) return undefined;
    if (this.stands(known)) return known;
    if (!this.#isSame(known)) this.#known.delete(key);
    return undefined;
  }

  /** Whether a key that was found before is still valid, and its organization there. To be called inside `Engine.read`. */
  stands(known: KnownKey<Caller>): boolean {
    const { engine, clock } = this.#judgement;
    const revision = engine.revision();
    if (known.revision !== revision) {
      if (!this.#isSame(known)) return false;
      known.revision = revision;
    }
    // most keys do not expire, and for them no clock is read
    return known.expiresAt === Number.POSITIVE_INFINITY || clock.now() < known.expiresAt;
  }

  /** The caller with a key, looked up. To be called inside `Engine.read`. */
  load(organization: Organization, key: string): KnownKey<Caller> | undefined {
    const { engine, clock } = this.#judgement;
    const { kind, find, callerOf, same } = this.#kind;
    if (apiKeyKind(key) !== kind) return undefined;
    const entry = find(organization.store, key);
    if (entry === undefined) return undefined;
    const { expiresAt = Number.POSITIVE_INFINITY } = entry.document;
    // not the record itself, which the caller would keep with it
    const read = { id: entry.id, version: entry.version };
    if (clock.now() >= expiresAt) return undefined;
    const known: KnownKey<Caller> = {
      organization,
      caller: callerOf(organization, entry, this.#judgement, {
        isStillValid: () => this.#isCurrent(organization, known, clock.now()),
        credentialPreconditions: () => [same(organization.store, read)],
      }),
      id: entry.id,
      version: entry.version,
      expiresAt,
      networks: networksOf(entry.document),
      revision: engine.revision(),
      use: undefined,
    };
    this.#known.set(key, known);
    return known;
  }

  /** Neither revoked nor rotated, and not expired at `now`. */
  #isCurrent({ store }: Organization, { id, version, expiresAt }: KnownKey<Caller>, now: number): boolean {
    return now < expiresAt && this.#kind.get(store, id)?.version === version;
  }

  /** Neither revoked nor rotated: nearly always because no commit has touched the organization since it was looked at. */
  #isSame(known: KnownKey<Caller>): boolean {
    const { organization, revision } = known;
    const changedAt = writtenAt(organization);
    return changedAt !== undefined && (changedAt <= revision || this.#isCurrent(organization, known, 0));
  }
}

/** Whether a request comes from where a credential is not accepted. */
export function isOutside(visit: Visit, networks: AddressList | undefined): boolean {
  return networks !== undefined && !networks.has(visit.clientAddress());
}
