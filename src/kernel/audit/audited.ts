import type { Change, Precondition } from '#engine';
import { isoTime, randomSalt, timeOfId } from '../../platform/index.ts';
import type { Actors } from '../actors/index.ts';
import type { Caller } from '../organizations/index.ts';
import { type Actor, actorOf } from './actor.ts';
import { entryDigest } from './canonical.ts';
import { type AuditEntry, entryRecords, type PersonalField, type PersonalValue, type StoredEntry } from './entry.ts';
import { plainData, wellFormed } from './plain-data.ts';

/** What an entry needs of the request that caused it, and the precondition of its commit. */
export interface RequestFacts {
  readonly requestId: string;
  header(name: string): string;
  clientAddress(): string;
  /** For a session: that it has not ended. To be called inside `Engine.read`, which judges again. */
  credentialPreconditions?(): readonly Precondition[];
}

export interface AuditMaker {
  /** A UUID of version 7: an entry's time is the one that its id carries. */
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The same for entries of callers. */
export interface CallerAuditMaker extends AuditMaker {
  /** How they are named. */
  readonly actors: Pick<Actors, 'audited'>;
}

/** What was done, and to what. */
export interface AuditEvent {
  /** One of the specification's event types, such as `user.created`; `admin.action` where none fits. */
  readonly eventType: string;
  /** What exactly, as `resource.verb`. */
  readonly action: string;
  readonly severity?: AuditEntry['severity'] | undefined;
  readonly result?: AuditEntry['result'] | undefined;
  /** The id alone, without its type. */
  readonly targetId?: string | undefined;
  readonly targetType?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /**
   * More metadata about a person: each member tells something about the target, or, where the entry has no target,
   * about the actor. It goes when that person's data is erased.
   */
  readonly personal?: Readonly<Record<string, unknown>> | undefined;
}

/** Whose log it is. */
export interface AuditedOrganization {
  readonly id: string;
  readonly store: { readonly name: string };
}

/** The entry of what a caller did, to be put among the changes that it tells of. Neither is there without the other. */
export function audited(
  maker: CallerAuditMaker,
  caller: Caller,
  request: RequestFacts,
  auditEvent: AuditEvent,
): Change[] {
  const { actor: actedBy, name: actorName, organization } = caller;
  // done in somebody's name: the entry says by whom
  const by = { ...(actedBy === undefined ? {} : { actedBy }), ...(actorName === undefined ? {} : { actorName }) };
  const told =
    Object.keys(by).length === 0 ? auditEvent : { ...auditEvent, metadata: { ...auditEvent.metadata, ...by } };
  return auditedAs(maker, organization, actorOf(maker.actors, caller), request, told);
}

/** The same where there is no caller: somebody who signs in, or the service itself, which has no request. */
export function auditedAs(
  maker: AuditMaker,
  organization: AuditedOrganization,
  actor: Actor,
  request: RequestFacts | undefined,
  auditEvent: AuditEvent,
): Change[] {
  const entry = storedEntry(maker, organization, actor, request, auditEvent);
  const { name: store } = organization.store;
  const chain = entryRecords.collection;
  return [
    entryRecords.put(organization.store, entry.id, entry),
    { op: 'append_chained', store, chain, entry: entry.id, digest: entryDigest(entry) },
  ];
}

const METADATA_BYTES_MAX = 16 * 1024;
const TEXT_MAX = 512;
/** Short enough to stand in an index as it is. */
const ACTION_MAX = 128;

function storedEntry(
  maker: AuditMaker,
  { id: orgId }: AuditedOrganization,
  actor: Actor,
  request: RequestFacts | undefined,
  { eventType, action, severity = 'info', result = 'success', targetId, targetType, metadata, personal }: AuditEvent,
): StoredEntry {
  const id = maker.newId();
  // absent members are left out when it is written; the names are in the order of the digest, so that none is sorted
  const entry: { readonly [Name in keyof StoredEntry]: StoredEntry[Name] | undefined } = {
    action: wellFormed(action.slice(0, ACTION_MAX)),
    actorId: wellFormed(actor.id),
    actorType: actor.type,
    createdAt: isoTime(timeOfId(id)),
    eventType,
    id,
    metadata: plainData({ requestId: request?.requestId, ...bounded(metadata) }),
    orgId,
    personal: personalValues(
      {
        actorEmail: actor.email,
        ipAddress: request?.clientAddress(),
        userAgent: request?.header('user-agent').slice(0, TEXT_MAX),
      },
      personal,
    ),
    result,
    severity,
    targetId: targetId && wellFormed(targetId),
    targetType: targetType && wellFormed(targetType),
  };
  return entry as StoredEntry;
}

/** What is too long to be kept is left out, and the entry says so. */
function bounded(metadata: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const isKept = isSurelyShort(metadata) || JSON.stringify(metadata).length <= METADATA_BYTES_MAX;
  return isKept ? metadata : { truncated: true };
}

/** Most octets of a character in JSON: `\u0000`. */
const ESCAPED_MAX = 6;
/** Any number, and what stands around a name or a value. */
const PLAIN_MAX = 32;

/** Most are texts and lists of texts, whose length shows that they are short without writing them down. */
function isSurelyShort(metadata: Readonly<Record<string, unknown>>): boolean {
  let length = 0;
  for (const name in metadata) length += PLAIN_MAX + ESCAPED_MAX * name.length + lengthMax(metadata[name]);
  return length <= METADATA_BYTES_MAX;
}

/** Most octets of it as JSON; infinity for what is neither plain nor a list of plain values. */
function lengthMax(value: unknown): number {
  if (typeof value === 'string') return PLAIN_MAX + ESCAPED_MAX * value.length;
  if (typeof value !== 'object' || value === null) return PLAIN_MAX;
  if (!Array.isArray(value)) return Number.POSITIVE_INFINITY;
  let length = PLAIN_MAX;
  for (const each of value) length += typeof each === 'object' ? Number.POSITIVE_INFINITY : lengthMax(each);
  return length;
}

function personalValues(
  own: Readonly<Record<'actorEmail' | 'ipAddress' | 'userAgent', string | undefined>>,
  metadata: AuditEvent['personal'],
): StoredEntry['personal'] {
  const kept: Partial<Record<PersonalField, PersonalValue>> = {};
  const keep = (field: PersonalField, value: unknown): void => {
    if (value !== undefined && value !== '') kept[field] = { value: plainData(value), salt: randomSalt() };
  };
  keep('actorEmail', own.actorEmail);
  keep('ipAddress', own.ipAddress);
  keep('userAgent', own.userAgent);
  if (metadata !== undefined) {
    for (const [name, value] of Object.entries(bounded(metadata))) keep(`metadata.${wellFormed(name)}`, value);
  }
  return kept;
}

/** A copy of what audit entries need, and mail to whoever asked: the request behind a call is used again before a commit is on disk. */
export function factsOf(call: RequestFacts): RequestFacts {
  const userAgent = call.header('user-agent');
  const language = call.header('accept-language');
  const address = call.clientAddress();
  return {
    requestId: call.requestId,
    header: (name) => (name === 'user-agent' ? userAgent : name === 'accept-language' ? language : ''),
    clientAddress: () => address,
  };
}
