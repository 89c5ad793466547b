import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FormBrowser } from '../../browser/form-browser.ts';
import { runCli } from '../../cli/run-cli.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { RunningService } from '../running-service.ts';

const users = '/t/demo/api/v1/admin/users';
let service: RunningService;

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '1', RELATA_DEMO: '1' });
});
afterAll(() => service.remove());

/** `relata demo-credentials` on the data of this service. */
function printed(...options: string[]) {
  const environment = { RELATA_PORT: String(service.port) };
  return runCli(['demo-credentials', '--data', join(service.folder, 'data'), ...options], { environment });
}

const keyIn = (text: string): string => /API key: (\S+)/.exec(text)?.[1] ?? '';

test('are printed again as the first start has printed them, while the service runs', async () => {
  const { out, err, code } = await printed();
  expect([code, err]).toEqual([0, '']);
  expect(service.demoKey).toMatch(/^rlt_admin_/);
  for (const line of out.split('\n').slice(0, 7)) expect(service.output()).toContain(line);
  expect((await printed('--key')).out).toBe(`${service.demoKey}\n`);
  expect(statSync(join(service.folder, 'data', 'demo-credentials')).mode & 0o777).toBe(0o600);
});

test('name the port of the service, also to a terminal that does not know it', async () => {
  const data = join(service.folder, 'data');
  const { out } = await runCli(['demo-credentials', '--data', data], { environment: {} });
  expect(out).toContain(`${service.url}/t/demo/api/v1`);
  const elsewhere = await runCli(['demo-credentials', '--data', data], { environment: { RELATA_PORT: '1234' } });
  expect(elsewhere.out).toContain('http://localhost:1234/t/demo/api/v1');
});

test('are not made anew while the service runs', async () => {
  expect(await printed('--rotate')).toMatchObject({ code: 3, out: '' });
  expect((await service.call('GET', users, { key: service.demoKey })).status).toBe(200);
});

test('are named by a later start, and void once they are made anew', async () => {
  const before = service.demoKey;
  const { folder } = service;
  await service.stop();
  const made = await printed('--rotate');
  expect([made.code, made.err]).toEqual([0, '']);
  service = await RunningService.start({ RELATA_THREADS: '1', RELATA_DEMO: '1' }, folder);
  expect(service.output()).toMatch(
    /^Demonstration organization: .*its credentials: node dist\/bundle\/main\.js demo-credentials/m,
  );
  expect(service.output()).not.toContain(before);
  expect((await service.call('GET', users, { key: before })).status).toBe(401);
  expect((await service.call('GET', users, { key: keyIn(made.out) })).status).toBe(200);
  const password = /with the password (\S+)/.exec(made.out)?.[1] ?? '';
  const browser = new FormBrowser({ origin: service.url });
  const page = await signIn(browser, await browser.open('/orgs/demo/account'), {
    email: 'carol@demo.example',
    password,
  });
  expect(page.heading).toBe('Hello, Carol Lindqvist');
});

test('where there is no demonstration, the command says so and makes nothing', async () => {
  const data = mkdtempSync(join(tmpdir(), 'relata-no-demo-'));
  const { code, err } = await runCli(['demo-credentials', '--data', data]);
  expect([code, err]).toEqual([2, expect.stringContaining('has no credentials of a demonstration')]);
  expect(await runCli(['demo-credentials', '--rotate', '--data', data])).toMatchObject({
    code: 2,
    err: 'relata: there is no demonstration organization here\n',
  });
  rmSync(data, { recursive: true });
});
