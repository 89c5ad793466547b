import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RetentionEnforcer } from '../../../src/audit/retention/enforcer.ts';
import { sweepDeliveries } from '../../../src/delivery/dispatch/records/sweep-deliveries.ts';
import { sweepStreams } from '../../../src/delivery/signals/sweep-streams.ts';
import { settleDueTasks } from '../../../src/directory/elevations/end/due-tasks.ts';
import { sweepFederation } from '../../../src/identity/federation/sweep.ts';
import { sweepSessions } from '../../../src/identity/sessions/service/sweep-sessions.ts';
import { Actors } from '../../../src/kernel/actors/index.ts';
import { sweepEvents } from '../../../src/kernel/events/index.ts';
import { type SweepStep, sweepExpired, sweepOldest } from '../../../src/kernel/organizations/index.ts';
import { RightCheck } from '../../../src/kernel/rights/index.ts';
import {
  Background,
  createLog,
  createSealer,
  manualClock,
  silentLog,
  uuidGenerator,
} from '../../../src/platform/index.ts';
import { sweepDocuments } from '../../../src/protocols/oauth/clients/index.ts';
import { sweepProtocol } from '../../../src/protocols/oauth/lifecycle/sweep-protocol.ts';
import { rotateSigningKeys } from '../../../src/protocols/oauth/signing/index.ts';
import { scimRequestRecords } from '../../../src/protocols/scim/requests/request-record.ts';
import { modules, recordsOf } from '../../../src/server/modules.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';
import { type DueOperation, dueRecords } from './due-records.ts';

const HISTORIES = 60;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Past the longest time that anything is kept for. */
const JUMPS = 12;
const JUMP_MS = 17 * HOUR_MS;
/** No job needs more for so few records, and all together need no more. */
const ROUNDS_MAX = 50;
const KEEP_MS = 2 * DAY_MS;
const RETENTION = { eventRetentionMs: 3 * DAY_MS, eventsPerOrganization: 4 };
const REQUESTS_MS = 4 * DAY_MS;
const DELIVERIES_MAX = 2;
/** No job looks at organizations more rarely. */
const ROUND_MS = 600_000;

const operations = Object.keys(dueRecords) as DueOperation[];
const place = { org: fc.nat(2), id: fc.nat(3) };
/** From now on, or before. */
const span = fc.integer({ min: -HOUR_MS, max: 5 * DAY_MS });

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ...place, op: fc.constantFrom(...operations), ms: span }) },
  fc.record({ ...place, op: fc.constantFrom('delete organization', 'restart', 'sweep'), ms: fc.constant(0) }),
  fc.record({ ...place, op: fc.constant('time passes'), ms: fc.integer({ min: 1, max: 2 * DAY_MS }) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Each kind alone, so that no commit of another job points to it: what a job forgets is missed whatever the seed is. */
const alone = operations.map((op): Step[] => [{ op, ms: DAY_MS, org: 0, id: 0 }]);
const kept: Step[] = (['entry', 'retention'] as const).map((op) => ({ op, ms: DAY_MS, org: 0, id: 0 }));
/** Jobs of what ends by itself, and not by a commit alone. */
const TIMED = [
  'expired_records',
  'sessions',
  'events',
  'elevations',
  'signal_streams',
  'audit_retention',
  'client_documents',
  'signing_keys',
  'scim_requests',
];

describe('what is due', () => {
  const clock = manualClock(1_800_000_000_000);
  const audit = { newId: uuidGenerator(clock), now: () => clock.now() };
  const sealer = createSealer('a master key of these tests');
  const failures: string[] = [];
  const log = createLog({ level: 'error', write: (line) => failures.push(line) });
  let scratch: ScratchEngine;
  let steps: ReadonlyMap<string, SweepStep>;
  let organizations = 0;
  let slugs: string[] = [];

  beforeAll(async () => {
    scratch = await ScratchEngine.open({ chainKey: Buffer.alloc(32, 1), clock: () => clock.now() });
  });
  afterAll(() => scratch.close());

  /** By name. Each of them begins with a look at every organization, as all of its looks once were. */
  function jobs(): ReadonlyMap<string, SweepStep> {
    const { engine } = scratch;
    const records = recordsOf(modules);
    const dependencies = { engine, clock, background: new Background({ log }), records, audit };
    const organization = (slug: string) => ({ id: slug, slug, name: slug, createdAt: 0, systemModelId: 'm' });
    const find = (slug: string) => ({ ...organization(slug), store: engine.store(`org:${slug}`) });
    const directory = { find } as never; // nothing else of it is called
    const retention = new RetentionEnforcer({ ...dependencies, organizations: { get: organization } });
    const actors = new Actors([]);
    const admin = { rights: new RightCheck(), actors, audit: { ...audit, actors }, sealer };
    const requests = { job: 'scim_requests', records: scimRequestRecords, keptMs: REQUESTS_MS, keptMax: 4 };
    const limits = { deliveriesPerOrganization: DELIVERIES_MAX };
    return new Map<string, SweepStep>([
      ['expired_records', sweepExpired(dependencies, records)],
      ['sessions', sweepSessions(dependencies, KEEP_MS)],
      ['events', sweepEvents(dependencies, RETENTION)],
      ['elevations', settleDueTasks({ ...dependencies, directory })],
      ['signal_streams', sweepStreams(dependencies)],
      ['consents', sweepProtocol(dependencies)],
      ['gone_providers', sweepFederation(dependencies)],
      ['audit_retention', (limit) => retention.step(limit)],
      ['client_documents', sweepDocuments(dependencies)],
      ['signing_keys', rotateSigningKeys({ ...dependencies, ...admin, directory })],
      ['scim_requests', sweepOldest(dependencies, { ...requests, at: ({ at }) => at })],
      ['old_deliveries', sweepDeliveries({ ...dependencies, directory, log: silentLog, limits, missed: () => {} })],
    ]);
  }

  /** Answers which of them have changed something. */
  async function run(all: ReadonlyMap<string, SweepStep>): Promise<string[]> {
    const busy: string[] = [];
    for (const [name, job] of all) {
      const before = scratch.engine.revision();
      let rounds = 0;
      while (await job(3)) if (++rounds > ROUNDS_MAX) throw new Error(`${name} never ends`);
      if (scratch.engine.revision() > before) busy.push(name);
    }
    return busy;
  }

  /** The same until nothing changes any more: what one job commits may be work for one before it. */
  async function settle(): Promise<string[]> {
    const busy: string[] = [];
    for (let round = 0; ; round++) {
      const some = await run(steps);
      if (some.length === 0) return busy;
      if (round === ROUNDS_MAX) throw new Error(`${some} make work for each other without end`);
      busy.push(...some);
    }
  }

  async function create(): Promise<string> {
    const slug = `o${organizations++}`;
    const store = await scratch.engine.createStore(`org:${slug}`);
    await store.writeModel({ dsl: 'model\n  schema 1.1\ntype user\n' });
    return slug;
  }

  async function play({ op, org, id, ms }: Step): Promise<void> {
    const { engine } = scratch;
    const name = `org:${slugs[org]}`;
    switch (op) {
      case 'delete organization':
        await engine.deleteStore(name);
        slugs[org] = await create();
        return;
      case 'restart':
        await scratch.reopen();
        steps = jobs();
        return;
      case 'sweep':
        clock.advance(ROUND_MS);
        await settle();
        return;
      case 'time passes':
        return void clock.advance(ms);
      default:
        await engine.submit(engine.command(dueRecords[op]({ store: engine.store(name), id, ms, audit })));
    }
  }

  it(`is what a visit of every organization would find, in ${HISTORIES} histories`, { timeout: 300_000 }, async () => {
    const seen = new Set<string>();
    const found = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (history) => {
        for (const slug of slugs) await scratch.engine.deleteStore(`org:${slug}`);
        slugs = [await create(), await create(), await create()];
        steps = jobs();
        for (const one of history) {
          await play(one);
          seen.add(one.op);
          // what it is worked out from changes with time and with commits, both of which have passed now
          if (one.op === 'sweep') expect(await run(jobs()), `${slugs}`).toEqual([]);
        }
        // from here on nothing is committed but by the jobs: what is due is found by its time alone
        // a job that has looked at this time already looks again in its next round
        clock.advance(ROUND_MS);
        for (let jump = 0; jump < JUMPS; jump++) {
          const busy = await settle();
          if (jump > 0) for (const name of busy) found.add(name);
          expect(await run(jobs())).toEqual([]);
          clock.advance(JUMP_MS);
        }
      }),
      { numRuns: HISTORIES, examples: [...alone, kept].map((history): [Step[]] => [history]) },
    );
    expect(failures).toEqual([]);
    expect(seen.size).toBeGreaterThan(10);
    expect([...found]).toEqual(expect.arrayContaining(TIMED));
  });
});
