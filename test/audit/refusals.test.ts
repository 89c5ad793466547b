import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RecordEntry } from '../../engine/index.ts';
import { FailureLog } from '../../src/kernel/audit/index.ts';
import { Background, manualClock, silentLog, uuidGenerator } from '../../src/platform/index.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';
import { auditScene } from './scene.ts';

// each thread counts a flood for itself
const here = auditScene({ RELATA_THREADS: '1' });

describe('a 403 of the administration is on record, after its answer', () => {
  const denied = '&action=access.denied';

  test('where the guard refuses, with who, what and where from', async () => {
    const { org } = here;
    const key = await org.org.newKey({ permissions: ['tuples.read'] });
    expect((await org.as(key.key).org.call('GET', '/admin/api-keys?search=x')).status).toBe(403);
    await expect.poll(() => org.count(denied)).toBe(1);
    expect(await org.entries(denied)).toEqual([
      expect.objectContaining({
        eventType: 'admin.action',
        result: 'failure',
        severity: 'warning',
        actorId: key.subject,
        ipAddress: '127.0.0.1',
        metadata: {
          requestId: expect.any(String),
          endpoint: 'GET /t/{tenant}/api/v1/admin/api-keys',
          parameters: { tenant: org.slug },
          detail: expect.stringContaining('settings.manage'),
          count: 1,
        },
      }),
    ]);
  });

  test('and other answers are not', async () => {
    const { org } = here;
    const key = await org.org.newKey({});
    const own = org.as(key.key).org;
    expect((await own.post('/zanzibar/tuples', { writes: ['role:a#assignee@user:b'] })).status).toBe(403);
    expect((await org.org.call('GET', '/admin/api-keys/none')).status).toBe(404);
    expect((await org.as('rlt_admin_none').logs()).status).toBe(401);
    expect((await org.logs('?limit=0')).status).toBe(400);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await org.count(denied)).toBe(0);
  });

  test('a flood is written once at once, and counted', async () => {
    const { org } = here;
    const key = await org.org.newKey({});
    const own = org.as(key.key);
    const answers = await Promise.all(Array.from({ length: 300 }, () => own.logs()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]));
    await expect.poll(() => org.count(denied)).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await org.count(denied)).toBe(1);
  });
});

describe('FailureLog', () => {
  let scratch: ScratchEngine;
  const clock = manualClock(1_800_000_000_000);
  const audit = { newId: uuidGenerator(clock), now: () => clock.now() };
  const organization = { id: 'o', store: { name: 'org:acme' } };
  const from = (address: string) => ({ requestId: 'r', header: () => '', clientAddress: () => address });
  const auditEvent = { eventType: 'user.login_failed', action: 'user.login' };
  let failures: FailureLog;

  beforeEach(async () => {
    scratch = await ScratchEngine.open({ chainKey: Buffer.alloc(32, 1) });
    await scratch.engine.createStore('org:acme');
    failures = new FailureLog({ engine: scratch.engine, audit, background: new Background({ log: silentLog }) });
  });
  afterEach(() => scratch.close());

  interface Written {
    readonly actorId: string;
    readonly metadata: { readonly count: number };
  }

  function written(): unknown[] {
    const { records } = scratch.engine.store('org:acme');
    const all: RecordEntry<Written>[] = [];
    for (let after = ''; ; after = all.at(-1)?.id ?? '') {
      const page = records.list<Written>('audit_entries', { after });
      if (page.length === 0) return all.map(({ document }) => [document.actorId, document.metadata.count]);
      all.push(...page);
    }
  }

  async function settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }

  test('writes one entry for an actor, address and action at once, and one for the rest of its minute', async () => {
    for (let i = 0; i < 50; i++) {
      failures.note(organization, { id: 'anne', type: 'user' }, from('10.0.0.1'), auditEvent);
      failures.note(organization, { id: 'anne', type: 'user' }, from('10.0.0.2'), auditEvent);
      failures.note(organization, undefined, from('10.0.0.1'), auditEvent);
    }
    await expect.poll(() => written().length).toBe(3);
    expect(written()).toEqual([
      ['anne', 1],
      ['anne', 1],
      ['anonymous', 1],
    ]);
    await failures.flush();
    expect(written()).toHaveLength(3);
    clock.advance(60_000);
    await failures.flush();
    expect(written().slice(3)).toEqual([
      ['anne', 49],
      ['anne', 49],
      ['anonymous', 49],
    ]);
    clock.advance(60_000);
    await failures.flush();
    expect(written()).toHaveLength(6);
    failures.note(organization, undefined, from('10.0.0.1'), auditEvent);
    await expect.poll(() => written().length).toBe(7);
  });

  test('writes only so many at once for one organization, and the rest when it is due', async () => {
    for (let i = 0; i < 500; i++) failures.note(organization, undefined, from(`10.0.${i >> 8}.${i & 255}`), auditEvent);
    await expect.poll(() => written().length, { timeout: 60_000 }).toBe(200);
    await failures.flush(true);
    expect(written()).toHaveLength(500);
  });

  test('remembers only so many, and counts the others together', async () => {
    for (let i = 0; i < 12_000; i++) {
      failures.note(organization, { id: `u${i}`, type: 'user' }, from('10.0.0.1'), auditEvent);
    }
    await failures.flush(true);
    await expect.poll(() => written().length, { timeout: 60_000 }).toBe(10_001);
    const index = scratch.engine.store('org:acme').recordIndex('audit_entries');
    expect(index.count(undefined, '')).toBe(10_001);
    expect(written().filter((each) => (each as string[])[0] === 'various')).toEqual([['various', 2000]]);
  });

  test('does nothing where the organization is gone', async () => {
    failures.note({ id: 'x', store: { name: 'org:gone' } }, undefined, from('10.0.0.1'), auditEvent);
    await settle();
    await failures.flush(true);
    expect(written()).toEqual([]);
  });
});
