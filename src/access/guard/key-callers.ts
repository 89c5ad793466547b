import { type Precondition, type RecordEntry, SecondChanceCache } from '#engine';
import {
  agentRecords,
  agentSubject,
  keyRecords,
  keySubject,
  networksOf,
  scimTokenRecords,
  scimTokenSubject,
} from '../../directory/records/index.ts';
import type { Visit } from '../../http/index.ts';
import type { LastUseNotes, UseNote } from '../../kernel/commits/index.ts';
import { type Caller, type Organization, type Validity, writtenAt } from '../../kernel/organizations/index.ts';
import type { RecordKind } from '../../kernel/records/index.ts';
import { type AddressList, apiKeyKind, digestOf } from '../../platform/index.ts';
import { ProvisioningCaller } from '../../protocols/scim/index.ts';
import { type Judgement, SubjectCaller } from './callers.ts';

/** A key that is known, and how long its caller counts. One for each of many thousand keys: it makes no closures. */
export class KnownKey implements Validity {
  // what each request looks at stands together: see `touch`
  /** The revision at which its record was last seen to be the same. */
  revision: number;
  readonly organization: Organization;
  readonly caller: Caller;
  /** Of its last use, for who notes that. */
  use: UseNote | undefined = undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined;
  /** From where it is accepted; `undefined`: from everywhere. */
  readonly networks: AddressList | undefined;
  readonly id: string;
  readonly version: number;
  readonly #kind: KeyKind;
  readonly #judgement: Judgement;

  /** @param entry the record, which is not kept. To be called inside `Engine.read`. */
  constructor(organization: Organization, entry: RecordEntry<KeyRecord>, kind: KeyKind, judgement: Judgement) {
    const { id, version, document } = entry;
    this.organization = organization;
    this.id = id;
    this.version = version;
    this.expiresAt = document.expiresAt;
    this.networks = networksOf(document);
    this.revision = judgement.engine.revision();
    this.#kind = kind;
    this.#judgement = judgement;
    this.caller = kind.callerOf(organization, entry, judgement, this);
  }

  noteUse(notes: Pick<LastUseNotes, 'note' | 'again'>): void {
    if (this.use !== undefined && notes.again(this.use)) return;
    this.use = notes.note(this.organization.store.name, this.id);
  }

  /** Reads the first and the last field that each request looks at: their memory, and what is between, is on the way. */
  touch(): number {
    return this.revision ^ (this.networks === undefined ? 0 : 1);
  }

  isStillValid(): boolean {
    const now = this.#judgement.clock.now();
    return (this.expiresAt === undefined || now < this.expiresAt) && this.isCurrent();
  }

  credentialPreconditions(): readonly Precondition[] {
    return [this.#kind.records.same(this.organization.store, { id: this.id, version: this.version })];
  }

  /** Neither revoked nor rotated. */
  isCurrent(): boolean {
    return this.#kind.records.get(this.organization.store, this.id)?.version === this.version;
  }
}

/** A kind of key: its prefix, its records, and the caller that it identifies. */
interface KeyKind {
  /** The kind that `apiKeyKind` reads from a key. */
  readonly kind: string;
  readonly records: Pick<RecordKind<KeyRecord>, 'byUnique' | 'get' | 'same'>;
  readonly callerOf: (
    organization: Organization,
    entry: RecordEntry<KeyRecord>,
    judgement: Judgement,
    validity: Validity,
  ) => Caller;
}

interface KeyRecord {
  readonly name: string;
  readonly expiresAt?: number;
  readonly allowedIps?: readonly string[];
  /** One that is switched off has no key: the record that says so is another version of it. */
  readonly isActive?: boolean;
}

export const adminKeys = subjectKeys('admin', keyRecords, keySubject);
export const agentKeys = subjectKeys('agent', agentRecords, agentSubject);

/** Keys whose callers are subjects of the engine. */
function subjectKeys(kind: string, records: KeyKind['records'], subjectOf: (id: string) => string): KeyKind {
  return {
    kind,
    records,
    callerOf: (organization, { id }, judgement, validity) =>
      new SubjectCaller(organization, { subject: subjectOf(id) }, judgement, validity),
  };
}

export const scimTokens: KeyKind = {
  kind: 'scim',
  records: scimTokenRecords,
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
export class KeyCallers {
  readonly #judgement: Judgement;
  readonly #kind: KeyKind;
  readonly #known = new SecondChanceCache<string, KnownKey>(KNOWN_MAX);

  constructor(judgement: Judgement, kind: KeyKind) {
    this.#judgement = judgement;
    this.#kind = kind;
  }

  /** The caller with a cached key that is still valid. To be called inside `Engine.read`. */
  recall(organization: Organization, key: string): KnownKey | undefined {
    const known = this.#known.get(key);
    if (known?.organization !== organization) return undefined;
    if (this.stands(known)) return known;
    this.#known.delete(key);
    return undefined;
  }

  /** Whether a key that was found before is still valid, and its organization there. To be called inside `Engine.read`. */
  stands(known: KnownKey): boolean {
    const { engine, clock } = this.#judgement;
    const revision = engine.revision();
    if (known.revision !== revision) {
      if (!this.#isSame(known)) return false;
      known.revision = revision;
    }
    // most keys do not expire, and for them no clock is read
    return known.expiresAt === undefined || clock.now() < known.expiresAt;
  }

  /** The caller with a key, looked up. To be called inside `Engine.read`. */
  load(organization: Organization, key: string): KnownKey | undefined {
    const { kind, records } = this.#kind;
    if (apiKeyKind(key) !== kind) return undefined;
    const entry = records.byUnique(organization.store, 'digest', digestOf(key));
    if (entry === undefined || entry.document.isActive === false) return undefined;
    const { expiresAt } = entry.document;
    if (expiresAt !== undefined && this.#judgement.clock.now() >= expiresAt) return undefined;
    const known = new KnownKey(organization, entry, this.#kind, this.#judgement);
    this.#known.set(key, known);
    return known;
  }

  /** Neither revoked nor rotated: nearly always because no commit has touched the organization since it was looked at. */
  #isSame(known: KnownKey): boolean {
    const { organization, revision } = known;
    const changedAt = writtenAt(organization);
    return changedAt !== undefined && (changedAt <= revision || known.isCurrent());
  }
}

/** Whether a request comes from where a credential is not accepted. */
export function isOutside(visit: Visit, networks: AddressList | undefined): boolean {
  return networks !== undefined && !networks.has(visit.clientAddress());
}
