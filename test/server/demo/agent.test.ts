import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FormBrowser } from '../../browser/form-browser.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { RunningService } from '../running-service.ts';

/** The agent of the README. */
const script = /```js\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
const api = '/t/demo/api/v1';
const carol = { email: 'carol@demo.example', password: '' };

let service: RunningService;
let adminKey: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '1', RELATA_DEMO: '1' });
  const printed = service.output();
  adminKey = /API key: (\S+)/.exec(printed)?.[1] ?? '';
  carol.password = /with the password (\S+)/.exec(printed)?.[1] ?? '';
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await service.remove();
});

/** Runs the script with a new agent, which holds nothing. */
async function run() {
  const body = { name: 'Phone list', type: 'ai_assistant' };
  const agent = await service.call('POST', `${api}/admin/agents`, { key: adminKey, body });
  const env = { AGENT_ID: agent.text('data.id'), AGENT_KEY: agent.text('data.apiKey'), API: service.url + api };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { env });
  children.push(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      printed += part;
    });
  }
  return { child, printed: () => printed, ended: once(child, 'close') };
}

/** Signs in as Carol at the address that the agent has printed, and presses a button. */
async function decide(printed: () => string, button: string): Promise<void> {
  const found = /Please decide at (\S+)/;
  await expect.poll(printed, { timeout: 60_000 }).toMatch(found);
  const browser = new FormBrowser({ origin: service.url });
  const page = await signIn(browser, await browser.open(new URL(found.exec(printed())?.[1] ?? '').pathname), carol);
  await browser.submit(page, {}, { button });
}

test('the agent of the README has twenty lines', () => {
  const lines = script.split('\n').filter((line) => line.trim() !== '');
  expect(lines).toHaveLength(20);
});

test('it is denied, asks, waits, and does its work once Carol approves', { timeout: 180_000 }, async () => {
  const { child, printed, ended } = await run();
  await decide(printed, 'Approve');
  await ended;
  expect(child.exitCode).toBe(0);
  const [first, , ...list] = printed().trim().split('\n');
  expect(first).toBe('Without the permission: 403');
  expect([...list].sort()).toEqual(
    ['Anne Keller: anne', 'Bob Moreau: bob', 'Carol Lindqvist: carol', 'Dave Okafor: dave', 'Erin Sato: erin'].map(
      (each) => `${each}@demo.example`,
    ),
  );
});

test('it stops where Carol denies', { timeout: 180_000 }, async () => {
  const { child, printed, ended } = await run();
  await decide(printed, 'Deny');
  await ended;
  expect(child.exitCode).toBe(1);
  expect(printed()).toContain('The request is denied');
  expect(printed()).not.toContain('@demo.example');
});
