import { z } from 'zod';
import { type AuditName, actorTypes } from '../actors/index.ts';
import { defineRecord, type Keys } from '../records/index.ts';

/** One entry of an organization's audit log (specification, Audit log entry), as it is shown. */
export interface AuditEntry {
  readonly id: string;
  readonly orgId: string;
  readonly eventType: string;
  readonly action: string;
  readonly severity: 'info' | 'warning' | 'error';
  /** As its kind says (`AuditedKind`); of what is no kind such as `platform` or `system`. */
  readonly actorId: string;
  readonly actorType: AuditName['type'];
  readonly actorEmail?: string;
  readonly targetId?: string;
  readonly targetType?: string;
  readonly ipAddress?: string;
  readonly userAgent?: string;
  readonly result: 'success' | 'failure';
  readonly metadata: Readonly<Record<string, unknown>>;
  /** ISO 8601: the time that its id carries, so that entries are in the order of their ids. */
  readonly createdAt: string;
}

/** Fields about a person: each can be erased for itself. */
export type PersonalField = 'actorEmail' | 'ipAddress' | 'userAgent' | `metadata.${string}`;

/** What is kept of such a field: the value and the salt of its hash, or, once it is erased, the hash alone. */
export type PersonalValue =
  | { readonly value: unknown; readonly salt: string }
  /** Base64url. Without the salt nobody can try values. */
  | { readonly hash: string };

/** An entry as it is stored. What is not personal never changes. */
export interface StoredEntry extends Omit<AuditEntry, 'actorEmail' | 'ipAddress' | 'userAgent'> {
  readonly personal: Readonly<Partial<Record<PersonalField, PersonalValue>>>;
}

const METADATA = 'metadata.';

const personalField = z.union([
  z.enum(['actorEmail', 'ipAddress', 'userAgent']),
  z.templateLiteral([METADATA, z.string()]),
]);
const personalValue = z.union([
  z.strictObject({ value: z.unknown(), salt: z.string() }),
  z.strictObject({ hash: z.string() }),
]);

/** Fields that have few different values, and few combinations of them: an entry has one key for all of them. */
export const kindFields = ['action', 'eventType', 'severity', 'result', 'targetType'] as const;

/** Entries of an organization's audit log. Their collection is also the name of the chain that they form. */
export const entryRecords = defineRecord<StoredEntry>({
  collection: 'audit_entries',
  holds: 'an entry of the audit log; its retention and erasure are those of the log',
  schema: z.strictObject({
    id: z.string(),
    orgId: z.string(),
    eventType: z.string(),
    action: z.string(),
    severity: z.enum(['info', 'warning', 'error']),
    actorId: z.string(),
    actorType: z.enum(actorTypes),
    targetId: z.string().exactOptional(),
    targetType: z.string().exactOptional(),
    result: z.enum(['success', 'failure']),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: z.string(),
    personal: z.partialRecord(personalField, personalValue),
  }),
  indexes: keysOf,
  counted: ['', 'kind', ...kindFields, 'actorId', 'ipAddress', 'targetId'],
});

/** The entry with what is still there of its personal fields. */
export function shownEntry(stored: StoredEntry): AuditEntry {
  const { id, orgId, eventType, action, severity, actorId, actorType, targetId, targetType, result, createdAt } =
    stored;
  const metadata: Record<string, unknown> = { ...stored.metadata };
  // field by field: a page of a list makes a hundred of them, and a spread copies many times slower
  const shown: Writable<AuditEntry> = {
    id,
    orgId,
    eventType,
    action,
    severity,
    actorId,
    actorType,
    result,
    metadata,
    createdAt,
  };
  if (targetId !== undefined) shown.targetId = targetId;
  if (targetType !== undefined) shown.targetType = targetType;
  for (const field in stored.personal) {
    const kept = stored.personal[field as PersonalField];
    if (kept === undefined || !('value' in kept)) continue;
    if (field.startsWith(METADATA)) metadata[field.slice(METADATA.length)] = kept.value;
    // the fields of a person that are no metadata are texts
    else shown[field as 'actorEmail' | 'ipAddress' | 'userAgent'] = kept.value as string;
  }
  return shown;
}

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** What entries are found by. */
export type AuditIndex = KindField | 'actorId' | 'ipAddress' | 'targetId';

/**
 * An entry has one key for its kind. Fields of the kind have keys of their own only where they do not fit into that
 * key, and in entries of earlier versions (`src/docs/adr/audit-kinds.md`).
 */
function keysOf(entry: StoredEntry): Keys {
  const kind = kindKey(entry);
  const { actorId, targetId } = entry;
  const indexes: Record<string, string> = kind === undefined ? keysOfEach(entry) : { kind };
  indexes.actorId = actorId;
  if (targetId !== undefined) indexes.targetId = targetId;
  const address = addressOf(entry);
  if (address !== undefined) indexes.ipAddress = address;
  return indexes;
}

function keysOfEach(entry: StoredEntry): Record<string, string> {
  const given = kindFields.map((field) => [field, entry[field]]).filter(([, key]) => key !== undefined);
  return Object.fromEntries(given);
}

function addressOf({ personal: { ipAddress } }: StoredEntry): string | undefined {
  // kept as the text that `AuditEntry` has
  return ipAddress !== undefined && 'value' in ipAddress ? (ipAddress.value as string) : undefined;
}

export type KindField = (typeof kindFields)[number];

/** The fields in which entries of one kind are alike. */
export type Kind = Readonly<Partial<Record<KindField, string>>>;

const SEPARATOR = '|';
/** What an index keeps whole (`IndexReader.keys`). */
const KEY_BYTES_MAX = 400;

/** `undefined` where the fields do not fit into a key, or could not be told apart in it. */
export function kindKey({ action, eventType, severity, result, targetType = '' }: Kind): string | undefined {
  const key = [action, eventType, severity, result, targetType].join(SEPARATOR);
  const isWhole = key.split(SEPARATOR).length === kindFields.length && Buffer.byteLength(key) <= KEY_BYTES_MAX;
  return isWhole ? key : undefined;
}

export function kindOf(key: string): Kind {
  const values = key.split(SEPARATOR);
  return Object.fromEntries(kindFields.map((field, index) => [field, values[index]]));
}
