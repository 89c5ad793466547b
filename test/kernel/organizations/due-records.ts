import { z } from 'zod';
import type { Change, Store } from '../../../engine/index.ts';
import { RETENTION_ID, retentionRecords } from '../../../src/audit/retention/settings.ts';
import { taskRecords } from '../../../src/directory/records/index.ts';
import { type AuditMaker, auditedAs } from '../../../src/kernel/audit/index.ts';
import { defineEvent, recordEvent } from '../../../src/kernel/events/index.ts';
import { slugOf } from '../../../src/kernel/organizations/index.ts';
import { timeKey } from '../../../src/platform/index.ts';
import { signingKeyRecords } from '../../../src/protocols/oauth/signing/index.ts';
import { scimRequestRecords } from '../../../src/protocols/scim/requests/request-record.ts';

const DAY_MS = 86_400_000;
/** As the service has them: when a key gets a successor, and when a document that was not used goes. */
const SUCCESSOR_MS = 89 * DAY_MS;
const UNUSED_MS = 100 * DAY_MS;

const counted = defineEvent({
  type: 'test.counted',
  data: z.strictObject({}),
  example: {},
  about: () => [],
  becomes: {},
});

/** Where and when something is put, and which of a few it is. Some is due in `ms`, or was before. */
export interface DueRecord {
  readonly store: Store;
  readonly id: number;
  readonly ms: number;
  readonly audit: AuditMaker;
}

/** What stands in an organization and is due some time, or is due because of a commit. */
export const dueRecords = {
  link: ({ store, id, ms, audit }) => [put(store, 'signin_links', `${id}`, {}, { expires: timeKey(audit.now() + ms) })],
  unlink: ({ store, id }) => [{ op: 'delete_record', store: store.name, collection: 'signin_links', id: `${id}` }],
  session({ store, ms, audit }) {
    const times = { createdAt: audit.now(), lastActiveAt: audit.now() + Math.min(0, ms), expiresAt: 0 };
    const document = { userId: 'nobody', epochs: {}, opState: '', amr: [], authTime: 0, ...times };
    const indexes = { '#state': 'open:0', seen: timeKey(times.lastActiveAt), user: 'nobody', openUser: 'nobody' };
    return [put(store, 'sessions', audit.newId(), document, indexes)];
  },
  'signed out': ({ store }) => [put(store, 'settling', 'user:nobody', {})],
  'ended session'({ store, ms, audit }) {
    const document = { userId: 'nobody', epochs: {}, endedAt: audit.now() + Math.min(0, ms) };
    const indexes = { '#state': 'ended', ended: timeKey(document.endedAt), user: 'nobody' };
    return [put(store, 'sessions', audit.newId(), document, indexes)];
  },
  token({ store, id, ms, audit }) {
    const times = { createdAt: audit.now(), expiresAt: audit.now() + ms };
    const document = { type: 'access', clientId: 'c', scopes: [], epochs: {}, ...times };
    return [put(store, 'tokens', `${id}`, document, { '#state': 'open:0', expires: timeKey(times.expiresAt) })];
  },
  /** The only one of its algorithm. */
  'signing key'({ store, id, ms, audit }) {
    const times = { createdAt: audit.now(), activeFrom: audit.now() + ms - SUCCESSOR_MS };
    const key = { algorithm: 'ES256', generation: 1, publicJwk: {}, sealedKey: '' } as const;
    const others = signingKeyRecords.index(store).ids(undefined, '', { limit: 10 });
    return [
      ...signingKeyRecords.deletions(store, others),
      signingKeyRecords.put(store, `k${id}`, { ...key, ...times }),
    ];
  },
  'client document': ({ store, id, ms, audit }) => [
    put(store, 'clients', `d${id}`, { kind: 'document' }, { used: timeKey(audit.now() + ms - UNUSED_MS) }),
  ],
  delivery({ store, ms, audit }) {
    const times = { createdAt: audit.now(), keptUntil: audit.now() + ms };
    const document = { subscription: 's', status: 'delivered', attempts: [], ...times };
    const indexes = { '#outcome': 's delivered', '#subscription': 's', until: timeKey(times.keptUntil) };
    return [put(store, 'deliveries', audit.newId(), document, indexes)];
  },
  request: ({ store, audit }) => [scimRequestRecords.append(store, { at: audit.now() } as never)],
  use: ({ store, id, audit }) => [
    put(store, 'api_key_uses', `${id}`, { lastUsedAt: audit.now() }),
    put(store, 'api_calls', '2027-01', { calls: 1 }),
  ],
  task({ store, id, ms, audit }) {
    const times = { createdAt: audit.now(), expiresAt: audit.now() + ms, durationSeconds: 300 };
    return [taskRecords.put(store, `${id}`, { agentId: 'a', scopes: [], status: 'pending', ...times } as never)];
  },
  stream({ store, id, ms, audit }) {
    const until = audit.now() + ms;
    const document = { clientId: `c${id}`, announcedUntil: until };
    const indexes = { client: `c${id}`, announced: timeKey(until) };
    return [put(store, 'clients', `c${id}`, {}), put(store, 'signal_streams', `${id}`, document, indexes)];
  },
  identity: ({ store, id }) => [put(store, 'federated_identities', `${id}`, {}, { provider: `p${id}` })],
  'provider gone': ({ store, id }) => [put(store, 'social_providers_gone', `p${id}`, {})],
  consent: ({ store, id }) => [put(store, 'consents', `${id}`, {}, { client: `c${id}` })],
  'client gone': ({ store, id }) => [
    put(store, 'clients_gone', `c${id}`, {}),
    { op: 'delete_record', store: store.name, collection: 'clients', id: `c${id}` },
  ],
  event: ({ store, audit }) => [recordEvent(audit, store, counted.of({}))],
  entry({ store, audit }) {
    const auditEvent = { eventType: 'user.login', action: 'in' } as const;
    return auditedAs(audit, { id: slugOf(store.name), store }, { id: 'anne', type: 'user' }, undefined, auditEvent);
  },
  retention: ({ store, ms }) => {
    const days = Math.min(3, Math.max(0, Math.round(ms / DAY_MS)));
    return [retentionRecords.put(store, RETENTION_ID, { retentionDays: Math.max(1, days), autoDelete: days > 0 })];
  },
} as const satisfies Record<string, (at: DueRecord) => readonly Change[]>;

export type DueOperation = keyof typeof dueRecords;

function put(
  at: Store,
  collection: string,
  id: string,
  document: object,
  indexes: Record<string, string> = {},
): Change {
  return { op: 'put_record', store: at.name, record: { collection, id, document, indexes } };
}
