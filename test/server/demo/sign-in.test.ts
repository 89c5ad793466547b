import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findMisfits } from '../../../src/cli/backup/misfits.ts';
import { enginePath } from '../../../src/cli/data-folder.ts';
import { modules, recordsOf } from '../../../src/server/modules.ts';
import { FormBrowser } from '../../browser/form-browser.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { RunningService } from '../running-service.ts';

let service: RunningService;
const carol = { email: 'carol@demo.example', password: '' };

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '1', RELATA_DEMO: '1' });
  carol.password = /Sign in as carol@demo\.example with the password (\S+)/.exec(service.output())?.[1] ?? '';
});
afterAll(() => service.remove());

test('the printed password opens the account', async () => {
  const browser = new FormBrowser({ origin: service.url });
  const page = await signIn(browser, await browser.open('/orgs/demo/account'), carol);
  expect(page.heading).toBe('Hello, Carol Lindqvist');
});

test('the commands of the README sign in to an application, and ask what Carol may', async () => {
  const api = '/orgs/demo/api/v1';
  const post = async (path: string, form: Readonly<Record<string, string>>) =>
    service.call('POST', api + path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: 'demo-app', ...form }).toString(),
    });
  expect(service.output()).toContain(`${service.url}${api}/oauth/device_authorization -d client_id=demo-app`);
  const device = await post('/oauth/device_authorization', { scope: 'openid profile document:read' });
  const browser = new FormBrowser({ origin: service.url });
  let page = await signIn(browser, await browser.open(device.text('verification_uri_complete')), carol);
  for (let step = 0; step < 4 && page.forms.some(({ buttons }) => buttons.length > 0); step++)
    page = await browser.submit(page);
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const tokens = await post('/oauth/token', { grant_type, device_code: device.text('device_code') });
  expect([tokens.status, tokens.body]).toEqual([
    200,
    expect.objectContaining({ scope: 'openid profile document:read' }),
  ]);
  const key = tokens.text('access_token');
  expect((await service.call('GET', `${api}/oauth/userinfo`, { key })).body).toMatchObject({ name: 'Carol Lindqvist' });
  const permissions = await service.call('GET', `${api}/authz/permissions`, { key });
  expect(permissions.list('data.data').map((each) => (each as { permission: string }).permission)).toContain(
    'document:read',
  );
});

test('every record that all this has left fits its kind', async () => {
  const found = await findMisfits(enginePath(join(service.folder, 'data')), recordsOf(modules));
  expect(found).toEqual({ shown: [], records: 0, collections: 0 });
});
