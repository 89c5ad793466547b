import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BrowserVisitor } from '../../browser/browser-world.ts';
import { chromiumMissing, type Look, looks, looksOf, openChromium } from '../../browser/chromium.ts';
import { isWhole } from '../../generated/extent.ts';
import type { Person } from '../../protocols/oauth/signing-in.ts';
import { appOf } from '../mfa/mfa-world.ts';
import { type SignInSite, SignInWorld } from '../signin/world.ts';

let world: SignInWorld;
let chromium: Browser;
let site: SignInSite;
let anne: Person;

beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));
beforeAll(async () => {
  if (chromiumMissing !== undefined) return;
  // whatever a page names is a path, so that a browser finds it at the port of this run
  world = await SignInWorld.start({ RELATA_BASE_URL: 'http://127.0.0.1' });
  chromium = await openChromium();
});
beforeEach(async () => {
  if (chromiumMissing !== undefined) return;
  site = await world.organization({ tenant: { mfaPolicy: { allowedMethods: ['totp', 'email', 'webauthn'] } } });
  anne = await site.person({ name: 'Anne Example' });
});
afterAll(async () => {
  await chromium?.close();
  await world?.stop();
});

async function signedIn(look: Look = 'light', more: BrowserContextOptions = {}): Promise<BrowserVisitor> {
  const baseURL = world.provider.service.url;
  const context = await chromium.newContext({ ...looks[look], baseURL, locale: 'en-GB', ...more });
  context.setDefaultTimeout(45_000);
  const visitor = new BrowserVisitor(context, await context.newPage(), look);
  await visitor.page.goto(`${site.base}/account`);
  await visitor.fill({ username: anne.email, 'current-password': anne.password });
  await visitor.press(/^(Sign in|Anmelden)$/);
  await visitor.page.waitForURL(/\/account$/);
  return visitor;
}

/** Another program, on another system, that is signed in to the same account. */
const otherAgents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
];

async function elsewhere(): Promise<void> {
  for (const userAgent of otherAgents) await (await signedIn('light', { userAgent })).close();
}

async function addApp(visitor: BrowserVisitor): Promise<void> {
  const { page } = visitor;
  await page.goto(`${site.base}/account/factors/add?method=totp`);
  const link = page.locator('a[href^="otpauth:"]');
  const app = appOf(String(await link.getAttribute('href')));
  const timestamp = site.provider.service.clock.now();
  await page.locator('#code').fill(app.generate({ timestamp }));
  await page.locator('#name').fill('My phone');
  await visitor.press(/^(Add|Hinzufügen)$/);
}

describe('in a browser', { timeout: 180_000 }, () => {
  test('times are those of its own zone, in its own way of writing them', async () => {
    const visitor = await signedIn('light', { timezoneId: 'Asia/Kolkata' });
    const { page } = visitor;
    await page.goto(`${site.base}/account/sessions`);
    const time = page.locator('time').first();
    const at = new Date(String(await time.getAttribute('datetime')));
    const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' } as const;
    expect(await time.textContent()).toBe(new Intl.DateTimeFormat('en-GB', format).format(at));
    expect(await time.getAttribute('title')).toMatch(/UTC$/);
    await visitor.close();
  });

  test('devices are told apart by browser and system, and this one is marked', async () => {
    await elsewhere();
    const visitor = await signedIn();
    await visitor.page.goto(`${site.base}/account/sessions`);
    const names = await visitor.page.locator('.row h3').allTextContents();
    expect(names[0]).toMatch(/^Chrome \d+ on LinuxThis device$/);
    expect(names.slice(1).toSorted()).toEqual(['Microsoft Edge 138 on Windows 10', 'Safari 18 on iOS 18.5']);
    await visitor.close();
  });

  test('a password is shown and hidden again, at sign-in and in the account, and never left in a field of text', async () => {
    const visitor = await signedIn();
    const { page } = visitor;
    await page.goto(`${site.base}/account/password`);
    const field = page.locator('#password');
    const button = page.getByRole('button', { name: 'Show password' }).nth(1);
    await field.fill('correct horse');
    expect(await field.getAttribute('type')).toBe('password');
    await button.click();
    expect([await field.getAttribute('type'), await button.getAttribute('aria-pressed')]).toEqual(['text', 'true']);
    await button.click();
    expect([await field.getAttribute('type'), await button.getAttribute('aria-pressed')]).toEqual([
      'password',
      'false',
    ]);
    await page.context().clearCookies();
    await page.goto(`${site.base}/account`);
    await page.fill('#password', 'x');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await page.locator('#password').getAttribute('type')).toBe('text');
    await visitor.close();
  });

  test('a new password is judged while it is typed, as the service judges it', async () => {
    const visitor = await signedIn();
    const { page } = visitor;
    await page.goto(`${site.base}/account/password`);
    const said = page.locator('.strength [role="status"]');
    expect(await said.isVisible()).toBe(false);
    await page.locator('#password').pressSequentially('password123');
    await page.getByText('This is one of the most common passwords').waitFor();
    expect(await page.locator('.strength-bar').getAttribute('data-level')).toBe('1');
    await visitor.inspect('strength-refused');
    await page.locator('#password').fill('seven unrelated words of a long row');
    await page.getByText('Strong password').waitFor();
    await visitor.inspect('strength-strong');
    await page.locator('#password').fill('');
    await said.waitFor({ state: 'hidden' });
    await visitor.close();
  });

  test('recovery codes are copied, downloaded as a file that the browser makes, and printed', async () => {
    const visitor = await signedIn('light', { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = visitor;
    await addApp(visitor);
    await visitor.sees('Your recovery codes');
    const codes = await page.locator('.recovery-codes code').allTextContents();
    expect(codes).toHaveLength(10);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('recovery-codes.txt');
    const file = readFileSync(await download.path(), 'utf8');
    expect(file).toContain(anne.email);
    for (const code of codes) expect(file).toContain(code);
    await page.evaluate('window.print = () => { document.title = "printed"; }');
    await page.getByRole('button', { name: 'Print' }).click();
    expect(await page.title()).toBe('printed');
    await visitor.inspect('recovery-codes');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.side').isVisible()).toBe(false);
    expect(await page.getByText(`Recovery codes for ${anne.email}`).isVisible()).toBe(true);
    expect(await page.locator('.recovery-codes').isVisible()).toBe(true);
    await visitor.close();
  });

  test('what is changed is said, with the focus on it', async () => {
    const visitor = await signedIn();
    const { page } = visitor;
    await page.locator('#edit-name > summary').click();
    await page.locator('#name').fill('Anne Changed');
    await visitor.press('Save');
    await visitor.sees('Hello, Anne Changed');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Your profile was updated.');
    await visitor.close();
  });

  test('without a script, sections open and are saved, and nothing is offered that does not work', async () => {
    const visitor = await signedIn('light', { javaScriptEnabled: false });
    const { page } = visitor;
    await page.locator('#edit-phoneNumber > summary').click();
    await page.locator('#phoneNumber').fill('+41 44 668 18 00');
    await page.locator('#form-phoneNumber button').click();
    await page.getByText('Your profile was updated.').waitFor();
    await page.goto(`${site.base}/account/password`);
    expect(await page.locator('.reveal:visible').count()).toBe(0);
    await page.goto(`${site.base}/account/sessions`);
    expect(await page.locator('time').first().textContent()).toMatch(/UTC$/);
    await visitor.close();
  });

  test('on a phone the open room is in sight among the tabs', async () => {
    const visitor = await signedIn('mobile');
    await visitor.page.goto(`${site.base}/account/agents`);
    const box = await visitor.page.locator('.rooms a[aria-current]').boundingBox();
    const { width } = looks.mobile.viewport;
    expect(box && box.x >= 0 && box.x + box.width <= width + 1).toBe(true);
    await visitor.close();
  });
});

describe.each(looksOf('mobile'))('every part, opened, %s', (look) => {
  test.each(isWhole ? ['en-GB', 'de-DE'] : ['de-DE'])(
    'can be read, fits and breaks no rule of accessibility: %s',
    async (locale) => {
      await elsewhere();
      const visitor = await signedIn(look, { locale });
      const { page } = visitor;
      await addApp(visitor);
      await visitor.inspect(`area-codes-${locale}`);
      for (const room of ['', '/factors', '/sessions', '/identities', '/applications', '/agents', '/approvals']) {
        await page.goto(`${site.base}/account${room}`);
        await visitor.inspect(`area${room.replace('/', '-')}-${locale}`);
        await page.evaluate('for (const part of document.querySelectorAll("details")) part.open = true;');
        await visitor.inspect(`area${room.replace('/', '-')}-open-${locale}`);
      }
      await visitor.close();
    },
    180_000,
  );
});
