import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Change } from '../../../engine/index.ts';
import { RetentionEnforcer } from '../../../src/audit/retention/enforcer.ts';
import { putRetention } from '../../../src/audit/retention/settings.ts';
import { sweepStreams } from '../../../src/delivery/signals/sweep-streams.ts';
import { settleDueTasks } from '../../../src/directory/elevations/end/due-tasks.ts';
import { taskRecords } from '../../../src/directory/records/index.ts';
import { sweepFederation } from '../../../src/identity/federation/sweep.ts';
import { sweepSessions } from '../../../src/identity/sessions/service/sweep.ts';
import { auditedAs } from '../../../src/kernel/audit/index.ts';
import { defineEvent, recordEvent, sweepEvents } from '../../../src/kernel/events/index.ts';
import { type SweepStep, slugOf, sweepExpired } from '../../../src/kernel/organizations/index.ts';
import { Background, manualClock, silentLog, timeKey, uuidGenerator } from '../../../src/platform/index.ts';
import { sweepProtocol } from '../../../src/protocols/oauth/lifecycle/sweep-protocol.ts';
import { modules, recordsOf } from '../../../src/server/modules.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

const HISTORIES = 60;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Past the longest time that anything is kept for. */
const JUMPS = 12;
const JUMP_MS = 17 * HOUR_MS;
/** No job needs more for so few records. */
const ROUNDS_MAX = 50;
const KEEP_MS = 2 * DAY_MS;
const RETENTION = { eventRetentionMs: 3 * DAY_MS, eventsPerOrganization: 4 };

const counted = defineEvent({
  type: 'test.counted',
  data: z.strictObject({}),
  example: {},
  about: () => [],
  becomes: {},
});

/** From now on, or before. */
const span = fc.integer({ min: -HOUR_MS, max: 5 * DAY_MS });
const place = { org: fc.nat(2), id: fc.nat(3) };

const step = fc.oneof(
  fc.record({ ...place, op: fc.constantFrom('link', 'session', 'token', 'task', 'stream'), ms: span }),
  fc.record({ ...place, op: fc.constantFrom('unlink', 'identity', 'consent', 'event', 'entry'), ms: fc.constant(0) }),
  fc.record({ ...place, op: fc.constantFrom('provider gone', 'client gone', 'signed out'), ms: fc.constant(0) }),
  fc.record({ ...place, op: fc.constant('retention'), ms: fc.nat(3) }),
  fc.record({ ...place, op: fc.constantFrom('delete organization', 'restart', 'sweep'), ms: fc.constant(0) }),
  fc.record({ ...place, op: fc.constant('time passes'), ms: fc.integer({ min: 1, max: 2 * DAY_MS }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('what is due', () => {
  const clock = manualClock(1_800_000_000_000);
  const newId = uuidGenerator(clock);
  const audit = { newId, now: () => clock.now() };
  let scratch: ScratchEngine;
  let steps: readonly SweepStep[];
  let organizations = 0;
  let slugs: string[] = [];

  beforeAll(async () => {
    scratch = await ScratchEngine.open({ chainKey: Buffer.alloc(32, 1), clock: () => clock.now() });
  });
  afterAll(() => scratch.close());

  /** Each of them begins with a look at every organization, as all of its looks once were. */
  function jobs(): readonly SweepStep[] {
    const { engine } = scratch;
    const dependencies = { engine, clock, background: new Background({ log: silentLog }), audit };
    const organization = (slug: string) => ({ id: slug, slug, name: slug, createdAt: 0, systemModelId: 'm' });
    const find = (slug: string) => ({ ...organization(slug), store: engine.store(`org:${slug}`) });
    const retention = new RetentionEnforcer({ ...dependencies, organizations: { get: organization } });
    return [
      sweepExpired(dependencies, recordsOf(modules)),
      sweepSessions(dependencies, KEEP_MS),
      sweepEvents(dependencies, RETENTION),
      settleDueTasks({ ...dependencies, directory: { find } }),
      sweepStreams(dependencies),
      sweepProtocol(dependencies),
      sweepFederation(dependencies),
      (limit) => retention.step(limit),
    ];
  }

  async function run(all: readonly SweepStep[]): Promise<void> {
    for (const each of all) {
      let rounds = 0;
      while (await each(3)) if (++rounds > ROUNDS_MAX) throw new Error('a job never ends');
    }
  }

  async function create(): Promise<string> {
    const slug = `o${organizations++}`;
    await scratch.engine.createStore(`org:${slug}`);
    return slug;
  }

  const submit = (...changes: Change[]) => scratch.engine.submit(scratch.engine.command(changes));

  async function play({ op, org, id, ms }: Step): Promise<void> {
    const slug = slugs[org] as string;
    const store = `org:${slug}`;
    const at = { name: store };
    const now = clock.now();
    const put = (collection: string, name: string, document: object, indexes: Record<string, string> = {}) =>
      submit({ op: 'put_record', store, record: { collection, id: name, document, indexes } });
    switch (op) {
      case 'link':
        return void (await put('signin_links', `${id}`, {}, { expires: timeKey(now + ms) }));
      case 'unlink':
        return void (await submit({ op: 'delete_record', store, collection: 'signin_links', id: `${id}` }));
      case 'session': {
        const times = { createdAt: now, lastActiveAt: now + Math.min(0, ms), expiresAt: 0 };
        const document = { userId: 'nobody', epochs: {}, opState: '', amr: [], authTime: 0, ...times };
        const indexes = { '#state': 'open:0', seen: timeKey(times.lastActiveAt), user: 'nobody', openUser: 'nobody' };
        return void (await put('sessions', newId(), document, indexes));
      }
      case 'signed out':
        return void (await put('settling', 'user:nobody', {}));
      case 'token': {
        const document = { type: 'access', clientId: 'c', scopes: [], epochs: {}, createdAt: now, expiresAt: now + ms };
        return void (await put('tokens', `${id}`, document, { '#state': 'open:0', expires: timeKey(now + ms) }));
      }
      case 'task':
        return void (await submit(
          taskRecords.put(at, `${id}`, {
            agentId: 'a',
            scopes: [],
            status: 'pending',
            createdAt: now,
            expiresAt: now + ms,
            durationSeconds: 300,
          } as never),
        ));
      case 'stream':
        await put('clients', `c${id}`, {});
        return void (await put(
          'signal_streams',
          `${id}`,
          { clientId: `c${id}`, announcedUntil: now + ms },
          { client: `c${id}`, announced: timeKey(now + ms) },
        ));
      case 'identity':
        return void (await put('federated_identities', `${id}`, {}, { provider: `p${id}` }));
      case 'provider gone':
        return void (await put('social_providers_gone', `p${id}`, {}));
      case 'consent':
        return void (await put('consents', `${id}`, {}, { client: `c${id}` }));
      case 'client gone':
        await put('clients_gone', `c${id}`, {});
        return void (await submit({ op: 'delete_record', store, collection: 'clients', id: `c${id}` }));
      case 'event':
        return void (await submit(recordEvent(audit, at, counted.of({}))));
      case 'entry':
        return void (await submit(
          ...auditedAs(audit, { id: slug, store: at }, { id: 'anne', type: 'user' }, undefined, {
            eventType: 'user.login',
            action: 'in',
          }),
        ));
      case 'retention':
        return void (await submit(putRetention(at, { retentionDays: Math.max(1, ms), autoDelete: ms > 0 })));
      case 'delete organization':
        await scratch.engine.deleteStore(store);
        slugs[org] = await create();
        return;
      case 'restart':
        await scratch.reopen();
        steps = jobs();
        return;
      case 'sweep':
        return run(steps);
      default:
        clock.advance(ms);
    }
  }

  it(`is what a visit of every organization would find, in ${HISTORIES} histories`, { timeout: 300_000 }, async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (history) => {
        for (const slug of slugs) await scratch.engine.deleteStore(`org:${slug}`);
        slugs = [await create(), await create(), await create()];
        steps = jobs();
        for (const each of history) {
          await play(each);
          seen.add(each.op);
          // what it is worked out from changes with time and with commits, both of which have passed now
          if (each.op !== 'sweep') continue;
          const { engine } = scratch;
          const before = engine.revision();
          await run(jobs());
          expect(engine.revision(), `${slugs.map((slug) => slugOf(`org:${slug}`))}`).toBe(before);
        }
        // from here on nothing is committed but by the jobs: what is due is found by its time alone
        for (let jump = 0; jump < JUMPS; jump++) {
          await run(steps);
          await run(steps);
          const before = scratch.engine.revision();
          await run(jobs());
          expect(scratch.engine.revision()).toBe(before);
          clock.advance(JUMP_MS);
        }
      }),
      { numRuns: HISTORIES },
    );
    expect(seen.size).toBeGreaterThan(10);
  });
});
