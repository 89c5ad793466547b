import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FormBrowser } from '../browser/form-browser.ts';
import { signIn } from '../protocols/oauth/signing-in.ts';
import { nextPort } from '../server/next-port.ts';
import { RunningService } from '../server/running-service.ts';

const run = promisify(execFile);

/** Guides whose commands are all run, in their order; that of the first model replaces the one of the demonstration. */
const guides = ['checks-in-an-application', 'roles', 'sign-in-for-an-application', 'agents', 'first-model'];

let service: RunningService;
let key: string;

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '1', RELATA_DEMO: '1' });
  key = /API key: (\S+)/.exec(service.output())?.[1] ?? '';
});
afterAll(() => service.remove());

function blocksOf(guide: string, language: string): string[] {
  const text = readFileSync(`src/docs/guides/${guide}.md`, 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
}

/** As a reader would type it, with the address of this server and its key; the first answer that is an error ends it. */
function asTyped(code: string): string {
  return code.replaceAll('http://localhost:8080', service.url).replace(/^KEY=.*$/m, `KEY=${key}`);
}

describe('the commands of a guide', () => {
  test.each(guides)('%s', { timeout: 120_000 }, async (guide) => {
    const commands = blocksOf(guide, 'sh').map(asTyped).join('\n');
    const strict = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; echo; }\n';
    const { stdout } = await run('bash', ['-c', strict + commands]);
    expect(stdout.length).toBeGreaterThan(0);
  });

  test('the first model decides as the guide says', { timeout: 60_000 }, async () => {
    const ask = (subject: string, relation: string) =>
      service.call('POST', '/t/demo/api/v1/zanzibar/check', {
        key,
        body: { object: 'project:shop', relation, subject },
      });
    expect((await ask('user:anne', 'editor')).at('allowed')).toBe(true);
    expect((await ask('user:bob', 'editor')).at('allowed')).toBe(false);
  });

  test('the application of the guide to sign-in greets who signs in', { timeout: 120_000 }, async () => {
    const own = `http://127.0.0.1:${await nextPort()}`;
    const body = { name: 'My application', redirectUris: [`${own}/callback`] };
    const made = await service.call('POST', '/t/demo/api/v1/admin/clients', { key, body });
    const [script = ''] = blocksOf('sign-in-for-an-application', 'js');
    const code = asTyped(script).replace('http://127.0.0.1:3000', own);
    const env = {
      ...process.env,
      CLIENT_ID: made.text('data.clientId'),
      CLIENT_SECRET: made.text('data.clientSecret'),
    };
    const application = spawn(process.execPath, ['--input-type=module', '--eval', code], { env });
    try {
      const open = () => fetch(own, { redirect: 'manual' }).catch(() => undefined);
      await expect.poll(async () => (await open())?.status, { timeout: 60_000 }).toBe(302);
      const authorize = new URL((await open())?.headers.get('location') ?? '');
      const password = /with the password (\S+)/.exec(service.output())?.[1] ?? '';
      const browser = new FormBrowser({ origin: service.url });
      const first = await browser.open(authorize.pathname + authorize.search);
      let page = await signIn(browser, first, { email: 'carol@demo.example', password });
      for (let step = 0; step < 3 && page.forms.length > 0; step++) page = await browser.submit(page);
      const callback = page.departure?.url.href ?? '';
      expect(await (await fetch(callback)).text()).toBe('Hello carol@demo.example');
    } finally {
      application.kill('SIGKILL');
    }
  });

  test('the script of checks runs', { timeout: 60_000 }, async () => {
    // of a demonstration that still has its own model
    const other = await RunningService.start({ RELATA_THREADS: '1', RELATA_DEMO: '1' });
    try {
      const otherKey = /API key: (\S+)/.exec(other.output())?.[1] ?? '';
      const [script = ''] = blocksOf('checks-in-an-application', 'js');
      const env = { ...process.env, RELATA_KEY: otherKey, API: `${other.url}/t/demo/api/v1` };
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { env });
      expect(stdout).toBe('Carol may see the roadmap.\n');
    } finally {
      await other.remove();
    }
  });
});
