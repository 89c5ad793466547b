import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '../../engine/index.ts';
import type { SteppedJob } from '../../src/kernel/modules/index.ts';
import { Background, loadConfig, manualClock, silentLog } from '../../src/platform/index.ts';
import { operationsModule } from '../../src/server/operations.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';

const DAY_MS = 86_400_000;
const DSL = 'model\n  schema 1.1\ntype user\ntype doc\n  relations\n    define viewer: [user]\n';

const clock = manualClock(Date.now());
let scratch: ScratchEngine;
let store: Store;

beforeEach(async () => {
  scratch = await ScratchEngine.open({ clock: () => clock.now() });
  store = await scratch.engine.createStore('docs');
  await store.writeModel({ dsl: DSL });
});
afterEach(() => scratch.close());

const write = (id: string) => store.write({ writes: [{ object: `doc:${id}`, relation: 'viewer', subject: 'user:u' }] });

test('the job of the change log removes changes that are older than the limit on their age, and no others', async () => {
  const { config } = loadConfig({ environment: { RELATA_LIMIT_CHANGE_LOG_MS: String(2 * DAY_MS) } });
  const job = operationsModule.jobs?.find(({ name }) => name === 'change_log');
  if (job === undefined || !('stepOf' in job)) throw new Error('there is no such job');
  const step = (job as SteppedJob<Parameters<typeof job.start>[0]>).stepOf({
    engine: scratch.engine,
    clock,
    limits: config.limits,
    log: silentLog,
    background: new Background({ log: silentLog }),
    isClockTrusted: () => true,
  });
  const sweep = async () => {
    while (await step(100));
  };
  await write('old');
  const follower = store.follow(10, scratch.engine.cursor(0));
  clock.advance(DAY_MS);
  const { revision } = await write('new');
  await sweep();
  expect(follower.next()).toMatchObject({ isBehind: false, reached: revision });
  clock.advance(DAY_MS + 1);
  await sweep();
  expect(follower.next()).toEqual({ isBehind: true, since: 0, oldest: revision });
  expect(store.changes(revision - 1, 10).changes).toHaveLength(1);
});
