import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyStore } from '../../engine/store/verify/verify.ts';
import { proveLogs } from '../../src/audit/index.ts';
import { RetentionEnforcer } from '../../src/audit/retention/enforcer.ts';
import { RETENTION_ID, readRetention, retentionRecords } from '../../src/audit/retention/settings.ts';
import { auditedAs } from '../../src/kernel/audit/index.ts';
import { Background, deriveKey, manualClock, silentLog, uuidGenerator } from '../../src/platform/index.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';
import { auditScene } from './scene.ts';

const here = auditScene();

describe('the settings', () => {
  test('are shown and changed in both families, and each change is on record', async () => {
    const { org, service } = here;
    expect((await org.logs('/retention')).body).toEqual({ data: { retentionDays: 365, autoDelete: false } });
    const put = (body: unknown, family = 't', key = org.org.key) =>
      service.call('PUT', `/${family}/${org.slug}/api/v1/admin/audit-logs/retention`, { key, body });
    const changed = { retentionDays: 30, autoDelete: true };
    expect((await put(changed)).body).toEqual({ data: changed });
    expect((await org.logs('/retention', 'orgs')).body).toEqual({ data: { data: changed } });
    expect((await put({ retentionDays: 31, autoDelete: true }, 'orgs')).status).toBe(200);
    const [last, first] = await org.entries('&action=audit_log.retention_update');
    expect(first?.metadata.changes).toEqual({
      autoDelete: { before: false, after: true },
      retentionDays: { before: 365, after: 30 },
    });
    expect(last?.metadata.changes).toEqual({ retentionDays: { before: 30, after: 31 } });
  });

  test.each([
    {},
    { retentionDays: 30 },
    { retentionDays: 0, autoDelete: true },
    { retentionDays: 3651, autoDelete: true },
    { retentionDays: 1.5, autoDelete: true },
    { retentionDays: '30', autoDelete: true },
    { retentionDays: 30, autoDelete: true, more: 1 },
  ])('refuse %j with 400', async (body) => {
    const { org, service } = here;
    const path = `/t/${org.slug}/api/v1/admin/audit-logs/retention`;
    expect((await service.call('PUT', path, { key: org.org.key, body })).status).toBe(400);
  });
});

describe('enforcement', () => {
  const masterKey = 'a master key of at least thirty-two characters';
  const DAY_MS = 86_400_000;
  const clock = manualClock(1_800_000_000_000);
  const audit = { newId: uuidGenerator(clock), now: () => clock.now() };
  const record = { id: 'o', slug: 'acme', name: 'Acme', createdAt: 0, systemModelId: 'm' };
  const organization = { id: 'o', store: { name: 'org:acme' } };
  let scratch: ScratchEngine;
  let enforcer: RetentionEnforcer;

  beforeEach(async () => {
    scratch = await ScratchEngine.open({ chainKey: deriveKey(masterKey, 'audit chain'), clock: () => clock.now() });
    await scratch.engine.createStore('org:acme');
    const organizations = { get: (slug: string) => (slug === 'acme' ? record : undefined) };
    const background = new Background({ log: silentLog });
    enforcer = new RetentionEnforcer({ engine: scratch.engine, clock, background, records: [], audit, organizations });
  });
  afterEach(() => scratch.close());

  async function write(count: number): Promise<void> {
    const made = Array.from({ length: count }, () =>
      auditedAs(audit, organization, { id: 'anne', type: 'user' }, undefined, {
        eventType: 'user.login',
        action: 'in',
      }),
    );
    await scratch.engine.submit(scratch.engine.command(made.flat()));
  }

  async function keep(retentionDays: number, autoDelete: boolean): Promise<void> {
    await scratch.engine.submit(
      scratch.engine.command([retentionRecords.put({ name: 'org:acme' }, RETENTION_ID, { retentionDays, autoDelete })]),
    );
  }

  const actions = () =>
    scratch.engine
      .store('org:acme')
      .records.list<{ action: string }>('audit_entries')
      .map(({ document }) => document.action);

  async function enforce(limit = 2000): Promise<number> {
    let steps = 0;
    while (await enforcer.step(limit)) steps++;
    return steps;
  }

  test('removes what is older, in bounded steps, and what is left can be proved', async () => {
    await write(25);
    clock.advance(10 * DAY_MS);
    await write(5);
    await keep(7, true);
    expect(await enforce(10)).toBe(3);
    expect(actions()).toEqual([...Array(5).fill('in'), 'audit_log.expire']);
    const [report] = await proveLogs({ path: scratch.path, masterKey });
    expect(report).toMatchObject({ entries: 6, from: 25, head: { sequence: 31 } });
    expect(report?.break).toBeUndefined();
    expect(await verifyStore(scratch.path)).toMatchObject({ problems: [] });
    const index = scratch.engine.store('org:acme').recordIndex('audit_entries');
    expect(index.keys('kind', { limit: 3 }).map((key) => index.count('kind', key))).toEqual([1, 5]);
    expect(index.count('actorId', 'anne')).toBe(5);
  });

  test('looks once a minute, and does nothing where nothing is due', async () => {
    await write(3);
    await keep(1, true);
    expect(await enforce()).toBe(0);
    clock.advance(2 * DAY_MS);
    expect(await enforce()).toBe(1);
    await write(1);
    clock.advance(59_999);
    expect(await enforce()).toBe(0);
    expect(actions()).toEqual(['audit_log.expire', 'in']);
  });

  test('keeps everything without autoDelete', async () => {
    await write(3);
    clock.advance(4000 * DAY_MS);
    expect(await enforce()).toBe(0);
    await keep(1, false);
    clock.advance(60_000);
    expect(await enforce()).toBe(0);
    expect(actions()).toHaveLength(3);
    expect(readRetention(scratch.engine.store('org:acme'))?.document.autoDelete).toBe(false);
  });
});
