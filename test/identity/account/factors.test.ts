import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Page } from '../../browser/page.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { appOf, wrongCode } from '../mfa/mfa-world.ts';
import { type SignInSite, SignInWorld } from '../signin/world.ts';
import { entriesOf, recordOf, type Visitor, visitor } from './account-world.ts';

let world: SignInWorld;
let site: SignInSite;
let anne: Visitor;

beforeAll(async () => {
  world = await SignInWorld.start();
});
beforeEach(async () => {
  site = await world.organization({ tenant: { mfaPolicy: { allowedMethods: ['totp', 'email', 'webauthn'] } } });
  anne = await visitor(site);
});
afterAll(() => world.stop());

const now = () => site.provider.service.clock.now();

async function addApp(): Promise<{ app: ReturnType<typeof appOf>; codes: readonly string[]; page: Page }> {
  const page = await anne.open('/factors/add?method=totp');
  const app = appOf(page.link('Open in an app on this device').href);
  const done = await anne.browser.submit(page, { code: app.generate({ timestamp: now() }), name: 'My phone' });
  return { app, codes: codesOn(done), page: done };
}

function codesOn(page: Page): string[] {
  return [...page.text.matchAll(/\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}\b/g)].map(([code]) => code);
}

describe('second factors', () => {
  test('an app is added by its code, with recovery codes once, and asked for at the next sign-in', async () => {
    const { app, codes, page } = await addApp();
    expect(page.heading).toBe('Your recovery codes');
    expect(codes.length).toBeGreaterThanOrEqual(8);
    const list = await anne.open('/factors');
    expect(list.text).toContain('My phone');
    expect(list.text).toContain(`${codes.length} codes left`);
    expect(await recordOf(site, anne.person)).toMatchObject({ mfaEnabled: true });
    site.provider.service.clock.advance(60_000);
    const other = site.browser();
    const asked = await signIn(other, await other.open(`${site.base}/account`), anne.person);
    expect(asked.url.pathname).toBe(`${site.base}/signin/second-factor`);
    const done = await other.submit(asked, { code: app.generate({ timestamp: now() }) });
    expect(done.heading).toMatch(/^Hello/);
  });

  test('a wrong code is said beside the field, and the picture stays the same', async () => {
    const page = await anne.open('/factors/add?method=totp');
    const secret = page.link('Open in an app on this device').href;
    const app = appOf(secret);
    const refused = await anne.browser.submit(page, { code: wrongCode(app, now()) });
    expect([refused.status, refused.link('Open in an app on this device').href]).toEqual([422, secret]);
    const done = await anne.browser.submit(refused, { code: app.generate({ timestamp: now() }) });
    expect(done.heading).toBe('Your recovery codes');
  });

  test('an offer is good for the session in which it was made', async () => {
    const page = await anne.open('/factors/add?method=totp');
    const app = appOf(page.link('Open in an app on this device').href);
    site.provider.service.clock.advance(11 * 60_000);
    await signIn(anne.browser, await anne.open('/factors'), anne.person);
    const late = await anne.browser.submit(page, { code: app.generate({ timestamp: now() }) });
    expect(late.status).toBe(422);
    expect(await recordOf(site, anne.person)).toMatchObject({ mfaEnabled: false });
  });

  test('codes by mail are sent, and added by what came', async () => {
    const page = await anne.open('/factors/add?method=email');
    const sent = await anne.browser.submit(page, {}, { button: 'Send code' });
    const [, code = ''] =
      /\b(\d{6})\b/.exec(site.mails(anne.person.email).at(-1)?.raw.split('\r\n\r\n').slice(1).join() ?? '') ?? [];
    const done = await anne.browser.submit(sent, { code }, { button: 'Add' });
    expect(done.heading).toBe('Your recovery codes');
  });

  test('is renamed and removed, and others’ are not', async () => {
    await addApp();
    const list = await anne.open('/factors');
    const renamed = await anne.browser.submit(list, { name: 'Old phone' }, { button: 'Save name' });
    expect(renamed.text).toContain('Old phone');
    const tampered = { factor: 'nothing' };
    expect((await anne.browser.submit(renamed, {}, { button: 'Remove Old phone', tampered })).status).toBe(404);
    const bob = await visitor(site);
    const form = renamed.form([], 'Remove Old phone');
    const factor = form.fields.find(({ name }) => name === 'factor')?.value ?? '';
    const theirs = await bob.open('/factors/add?method=totp');
    const csrf = theirs.form(['code']).fields.find(({ name }) => name === 'csrf')?.value ?? '';
    expect((await bob.browser.post(form.action, { csrf, factor })).status).toBe(403);
    const gone = await anne.browser.submit(renamed, {}, { button: 'Remove Old phone' });
    expect(gone.text).toContain('Removed.');
    expect(await recordOf(site, anne.person)).toMatchObject({ mfaEnabled: false });
    expect(await entriesOf(site, 'user.remove_factor')).toMatchObject([{ severity: 'warning' }]);
  });

  test('the last one stays where one is required', async () => {
    await addApp();
    await site.set('tenant', { mfaPolicy: { required: true } });
    const refused = await anne.browser.submit(await anne.open('/factors'), {}, { button: 'Remove My phone' });
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('Add another second step first')]);
  });

  test('new recovery codes make the old ones void', async () => {
    const { codes } = await addApp();
    const fresh = await anne.browser.submit(await anne.open('/factors'), {}, { button: 'Create new recovery codes' });
    const [code = ''] = codesOn(fresh);
    expect(codes).not.toContain(code);
    const other = site.browser();
    const asked = await signIn(other, await other.open(`${site.base}/account`), anne.person);
    const way = await other.click(asked, 'Recovery code');
    expect((await other.submit(way, { code: codes[0] ?? '' })).status).toBe(422);
    expect((await other.submit(way, { code })).heading).toMatch(/^Hello/);
  });

  test('a method that is not allowed is not added', async () => {
    await site.set('tenant', { mfaPolicy: { allowedMethods: ['email'] } });
    expect((await anne.open('/factors/add?method=totp')).status).toBe(404);
    expect((await anne.open('/factors/add?method=nonsense')).status).toBe(400);
  });
});
