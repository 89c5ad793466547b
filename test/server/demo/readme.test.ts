import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FormBrowser } from '../../browser/form-browser.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { nextPort } from '../next-port.ts';
import { RunningService } from '../running-service.ts';

vi.setConfig({ testTimeout: 300_000 });

const readme = readFileSync('README.md', 'utf8');
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'relata-reader-'));
const children: ChildProcess[] = [];
let service: RunningService;
let ports: { readonly application: number; readonly restored: number };
/** What the commands before have set, as a reader's shell keeps it. */
let kept = '';

beforeAll(async () => {
  ports = { application: await nextPort(), restored: await nextPort() };
  service = await RunningService.start({ RELATA_THREADS: '1', RELATA_DEMO: '1', RELATA_PLATFORM_KEY: '' });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await service.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** The commands below a heading, with this test's addresses and folders for those of a reader. */
function commandsOf(heading: string): string {
  const section = readme.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const text = blocks.filter((block) => !block.startsWith('npm ')).join('');
  expect(text).not.toBe('');
  return text
    .replaceAll('http://localhost:8080', service.url)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.application}`)
    .replaceAll('RELATA_PORT=8081', `RELATA_PORT=${ports.restored}`)
    .replaceAll('dist/bundle/main.js', resolve('dist/bundle/main.js'))
    .replaceAll('cat data/', `cat ${service.folder}/data/`)
    .replaceAll('../relata-', `${folder}/relata-`);
}

/** Runs them in the reader's shell, and answers what they print. */
async function follow(heading: string, without = /^$/): Promise<string> {
  const lines = commandsOf(heading)
    .split('\n')
    .filter((line) => !without.test(line))
    .join('\n');
  const state = join(folder, 'state');
  const script = `set -euo pipefail\n${kept}\n${lines}\ndeclare -p KEY API CLIENT_ID CLIENT_SECRET 2>/dev/null > ${state} || true\ndeclare -f relata post >> ${state} || true\n`;
  const env = { PATH: process.env.PATH ?? '', RELATA_DATA_DIR: join(service.folder, 'data') };
  const { stdout } = await run('bash', ['-c', script], { cwd: folder, env });
  kept = readFileSync(state, 'utf8');
  return stdout;
}

test('the first commands get a decision', async () => {
  expect(await follow('Relata')).toMatch(/^\{"allowed":true,"revision":"[^"]+"\}$/);
});

test('an organization is made, and gives its key', async () => {
  expect(await follow('An organization of your own')).toMatch(/^rlt_admin_\w+\n$/);
});

test('a model, tuples and a check end in a permission, and a file is imported', async () => {
  expect(await follow('A model, tuples, checks')).toMatch(
    /"revision".*\{"allowed":true,"revision":"[^"]+"\}\n1 tuple imported in .*, revision \S+\n$/s,
  );
});

test('a role gives a user what it has', async () => {
  expect(await follow('A role and a user')).toMatch(/\{"allowed":true,"revision":"[^"]+"\}\n$/);
});

test('Dora signs in to the application of the README', async () => {
  await follow('Sign-in for an application');
  const [, script = ''] = /```mjs\n([\s\S]*?)```/.exec(readme) ?? [];
  writeFileSync(join(folder, 'app.mjs'), script);
  const value = (name: string): string => new RegExp(`${name}="([^"]+)"`).exec(kept)?.[1] ?? '';
  const application = spawn(process.execPath, ['app.mjs'], {
    cwd: folder,
    env: {
      CLIENT_ID: value('CLIENT_ID'),
      CLIENT_SECRET: value('CLIENT_SECRET'),
      ISSUER: `${service.url}/orgs/acme`,
      PORT: String(ports.application),
    },
  });
  children.push(application);
  let printed = '';
  for (const stream of [application.stdout, application.stderr]) {
    stream.on('data', (part) => {
      printed += part;
    });
  }
  await expect.poll(() => printed, { timeout: 60_000 }).toContain(`Open http://127.0.0.1:${ports.application}`);
  const start = await fetch(`http://127.0.0.1:${ports.application}`, { redirect: 'manual' });
  const authorize = new URL(start.headers.get('location') ?? '');
  const browser = new FormBrowser({ origin: service.url });
  const dora = { email: 'dora@example.com', password: /"password":"([^"]+)"/.exec(readme)?.[1] ?? '' };
  let page = await signIn(browser, await browser.open(authorize.pathname + authorize.search), dora);
  for (let step = 0; step < 3 && page.forms.length > 0; step++) page = await browser.submit(page);
  const callback = page.departure?.url.href ?? '';
  expect(callback).toContain('/callback?');
  expect(await (await fetch(callback)).text()).toBe('Hello Dora\n');
  // and the page can be loaded again: the application says why it does not serve it, and goes on
  expect((await fetch(callback)).status).toBe(400);
  expect((await fetch(`http://127.0.0.1:${ports.application}`, { redirect: 'manual' })).status).toBe(302);
});

test('the backup is restored in another folder, where the same key opens the same organization', async () => {
  const told = await follow('A backup', /relata serve$/);
  expect(told).toContain('The master key is in');
  expect(commandsOf('A backup')).toMatch(/^RELATA_PORT=\d+ RELATA_DATA_DIR=\S+ relata serve$/m);
  const restored = await RunningService.start(
    { RELATA_DATA_DIR: join(folder, 'relata-restored'), RELATA_PLATFORM_KEY: '' },
    folder,
  );
  const key = /KEY="(rlt_admin_[^"]+)"/.exec(kept)?.[1] ?? '';
  const users = await restored.call('GET', '/t/acme/api/v1/admin/users', { key });
  await restored.stop();
  expect(users.list('data').map((each) => (each as { name: string }).name)).toContain('Dora');
});
