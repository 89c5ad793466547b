import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Engine } from '../../engine/index.ts';
import { runCli } from '../cli/run-cli.ts';
import { bundledScript } from '../engine/crash/bundled-script.ts';
import { type Organization, RunningService } from './running-service.ts';

const FAILED = 70;
const TAKE_OVER = fileURLToPath(new URL('../engine/crash/take-over.ts', import.meta.url));
/** Nothing is being written when the service is paused, so nothing holds the other up. */
const TAKE_OVER_MS = 120_000;

let service: RunningService;
let org: Organization;

beforeEach(async () => {
  service = await RunningService.start();
  org = await service.organization('acme');
  await org.model('type user', 'type document', '  relations', '    define viewer: [user]');
});
afterEach(() => service.remove());

/** What the store holds, once nobody has it open: its revision, its stores, and objects and users of the organization. */
async function stored() {
  const engine = await Engine.open({ path: join(service.folder, 'data', 'store') });
  try {
    const store = engine.store('org:acme');
    return {
      revision: engine.revision(),
      stores: engine.storeNames(),
      documents: store.readTuples({ relation: 'viewer' }).tuples.map(({ object }) => object),
      users: store.records.list<{ email: string }>('users', {}).map(({ document }) => document.email),
    };
  } finally {
    await engine.close();
  }
}

test('a writer that is paused while another takes over ends when it is woken, and writes nothing that it was sent meanwhile', async () => {
  const script = await bundledScript(TAKE_OVER);
  await org.write('document:before#viewer@user:anne');
  process.kill(service.pid, 'SIGSTOP');
  const answered: (number | 'no answer')[] = [];
  const send = async (path: string, body: unknown) => {
    answered.push(
      await org.post(path, body).then(
        ({ status }) => status,
        () => 'no answer',
      ),
    );
  };
  const sent = [
    ...Array.from({ length: 8 }, (_, n) =>
      send('/zanzibar/tuples', { writes: [`document:late-${n}#viewer@user:anne`] }),
    ),
    send('/admin/users', { email: 'late@example.com' }),
  ];
  const path = join(service.folder, 'data', 'store');
  const { stdout } = await promisify(execFile)(process.execPath, [script, path], { timeout: TAKE_OVER_MS });
  const others = stdout.trim().split('\n').map(Number);
  expect(others).toHaveLength(10);
  expect(answered).toEqual([]);

  process.kill(service.pid, 'SIGCONT');
  expect(await service.ended()).toBe(FAILED);
  await Promise.all(sent);
  expect(service.output()).toMatch(/a thread has failed: the service ends/);
  expect(service.output()).toMatch(/another process has opened the data for writing/);
  expect(answered).toHaveLength(sent.length);
  expect(answered.filter((answer) => answer !== 'no answer' && answer < 500)).toEqual([]);

  const found = await stored();
  expect(found).toMatchObject({ revision: others.at(-1), documents: ['document:before'], users: [] });
  expect(found.stores.filter((name) => /^o\d$/.test(name))).toHaveLength(10);
  expect(await runCli(['verify', '--data', join(service.folder, 'data')])).toMatchObject({ code: 0 });
});
