import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../engine/index.ts';
import { AuditTables } from '../../../src/audit/query/audit-tables.ts';
import { readEntryPage } from '../../../src/audit/query/entry-page.ts';
import { RetentionEnforcer } from '../../../src/audit/retention/enforcer.ts';
import { sweepFederation } from '../../../src/identity/federation/sweep.ts';
import { sweepSessions } from '../../../src/identity/sessions/service/sweep-sessions.ts';
import { auditedAs } from '../../../src/kernel/audit/index.ts';
import { DUE, OrganizationWalk, sweepExpired } from '../../../src/kernel/organizations/index.ts';
import {
  Background,
  createLog,
  type LogFields,
  manualClock,
  timeKey,
  uuidGenerator,
} from '../../../src/platform/index.ts';
import { sweepProtocol } from '../../../src/protocols/oauth/lifecycle/sweep-protocol.ts';
import { modules, recordsOf } from '../../../src/server/modules.ts';
import { damages } from '../../engine/plant-record.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

const START = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
/** No step needs more for a few records. */
const ROUNDS_MAX = 20;

const gone = (collection: string, id: string) => ({ collection, id, document: {} });

/** What each step removes, by the index that says when or with what, and a mark that must be there. */
const swept: readonly {
  readonly collection: string;
  readonly index: string;
  readonly key?: string;
  readonly mark?: object;
}[] = [
  ...['until'].flatMap((index) =>
    [
      'login_failures',
      'spent_assertions',
      'spent_proofs',
      'authorization_requests',
      'authorization_codes',
      'device_authorizations',
      'factor_codes',
      'spent_challenges',
    ].map((collection) => ({ collection, index })),
  ),
  ...[
    'signin_flows',
    'signin_links',
    'signin_mails',
    'federation_attempts',
    'federation_arrivals',
    'federation_proofs',
  ].map((collection) => ({ collection, index: 'expires' })),
  { collection: 'sessions', index: 'seen' },
  { collection: 'sessions', index: 'ended' },
  { collection: 'tokens', index: 'expires' },
  { collection: 'consents', index: 'client', key: 'c', mark: gone('clients_gone', 'c') },
  { collection: 'federated_identities', index: 'provider', key: 'p', mark: gone('social_providers_gone', 'p') },
];

const auditEvent = { eventType: 'user.login', action: 'in' };

/** So that sessions and tokens are understood. */
const document = { userId: 'nobody', epochs: {}, createdAt: 0, lastActiveAt: 0, expiresAt: 0, opState: '', scopes: [] };

describe('the sweep', () => {
  const clock = manualClock(START);
  const lines: LogFields[] = [];
  const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line) as LogFields) });
  const background = new Background({ log });
  let scratch: ScratchEngine;

  beforeEach(async () => {
    lines.length = 0;
    scratch = await ScratchEngine.open({ chainKey: Buffer.alloc(32, 1), clock: () => clock.now() });
    for (const slug of ['acme', 'other']) await scratch.engine.createStore(`org:${slug}`);
  });
  afterEach(() => scratch.close());

  const dependencies = () => ({ engine: scratch.engine, clock, background, records: [] });
  const submit = (...changes: Change[]) => scratch.engine.submit(scratch.engine.command(changes));
  const ids = (slug: string, collection: string) =>
    scratch.engine.store(`org:${slug}`).recordIndex(collection).ids(undefined, '', { limit: 10 });

  async function sweep(steps: readonly ((limit: number) => Promise<boolean>)[]): Promise<void> {
    for (const step of steps) for (let round = 0; (await step(100)) && round < ROUNDS_MAX; round++);
  }

  const cases = swept.flatMap((each) => damages.map((damage) => ({ ...each, damage })));

  it.each(cases)('of $collection by $index goes on past $damage, and tells of it once', async (row) => {
    const { collection, index, key = timeKey(1), mark, damage } = row;
    for (const slug of ['acme', 'other']) {
      const store = `org:${slug}`;
      const records = ['a', 'b'].map((id) => ({ collection, id, document, indexes: { [index]: key } }));
      if (mark !== undefined) await submit({ op: 'put_record', store, record: mark as never });
      await submit(...records.map((record): Change => ({ op: 'put_record', store, record })));
    }
    await scratch.damage({ store: 'org:acme', collection, id: 'a' }, damage);
    const steps = [
      sweepExpired(dependencies(), recordsOf(modules)),
      sweepSessions(dependencies(), HOUR_MS),
      sweepProtocol(dependencies()),
      sweepFederation(dependencies()),
    ];
    await sweep(steps);
    await sweep(steps);
    expect(ids('other', collection)).toEqual([]);
    const left = ids('acme', collection);
    expect(left).not.toContain('b');
    // nobody has to read a record whose document is null to remove it, unless its step asks what is in it
    expect(lines).toMatchObject(left.map((id) => ({ store: 'org:acme', record: `${collection}/${id}` })));
    if (damage === 'bytes that are no record') expect(left).toEqual(['a']);
  });

  it('of audit entries goes on past one that cannot be read', async () => {
    const audit = { newId: uuidGenerator(clock), now: () => clock.now() };
    const ofRetention = {
      collection: 'audit_settings',
      id: 'retention',
      document: { retentionDays: 1, autoDelete: true },
    };
    for (const slug of ['acme', 'other']) {
      const store = `org:${slug}`;
      const organization = { id: slug, store: { name: store } };
      await submit({ op: 'put_record', store, record: ofRetention });
      for (let entry = 0; entry < 3; entry++) {
        await submit(...auditedAs(audit, organization, { id: 'anne', type: 'user' }, undefined, auditEvent));
      }
    }
    const old = { acme: ids('acme', 'audit_entries'), other: ids('other', 'audit_entries') };
    const [first = ''] = old.acme;
    await scratch.damage({ store: 'org:acme', collection: 'audit_entries', id: first }, damages[0]);
    clock.advance(48 * HOUR_MS);
    const organizations = { get: (slug: string) => ({ id: slug, slug, name: slug, createdAt: 0, systemModelId: 'm' }) };
    const retention = new RetentionEnforcer({ ...dependencies(), audit, organizations });
    await sweep([(limit) => retention.step(limit)]);
    const left = (slug: 'acme' | 'other') => ids(slug, 'audit_entries').filter((id) => old[slug].includes(id));
    expect({ acme: left('acme'), other: left('other') }).toEqual({ acme: [first], other: [] });
    expect(lines).toMatchObject([{ store: 'org:acme', record: `audit_entries/${first}` }]);
    // what is left of it is on no page of those that can be read
    const acme = { id: 'acme', store: { name: 'org:acme' } };
    for (let entry = 0; entry < 6; entry++)
      await submit(...auditedAs(audit, acme, { id: 'anne', type: 'user' }, undefined, auditEvent));
    const readable = ids('acme', 'audit_entries').filter((id) => id !== first);
    const asked = { filters: { equal: {} }, take: 1, sortBy: 'createdAt', descending: true } as const;
    const pages = readable.map((_, skip) =>
      scratch.engine.read(() => readEntryPage(new AuditTables(scratch.engine.store('org:acme')), { ...asked, skip })),
    );
    expect(pages.flatMap(({ entries }) => entries.map(({ id }) => id))).toEqual(readable.toReversed());
    expect(pages.map(({ total }) => total)).toEqual(readable.map(() => readable.length));
  });

  it('waits longer each time for an organization in which it fails, and visits the others as usual', async () => {
    const visits: Record<string, number[]> = { 'org:acme': [], 'org:other': [] };
    const walk = new OrganizationWalk(dependencies(), { job: 'test' }, (store) => {
      visits[store]?.push((clock.now() - START) / 1000);
      return store === 'org:acme' ? Promise.reject(new Error('the reason')) : Promise.resolve(DUE);
    });
    const start = clock.now();
    for (; clock.now() < start + 100_000; clock.advance(10_000)) await walk.step(1);
    const acme = visits['org:acme']?.map((at) => at - (visits['org:acme']?.[0] ?? 0));
    expect(acme).toEqual([0, 10, 30, 70]);
    expect(visits['org:other']).toHaveLength(10);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatchObject({ job: 'test', store: 'org:acme', error: { message: 'the reason' } });
  });
});
