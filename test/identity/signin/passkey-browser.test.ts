import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  accessibilityViolations,
  addAuthenticator,
  chromiumMissing,
  complaintsOf,
  openChromium,
  takePicture,
} from '../../browser/chromium.ts';
import { Front } from '../../browser/front.ts';
import { type SignInSite, SignInWorld } from './world.ts';

describe.skipIf(chromiumMissing !== undefined)('in a real browser', () => {
  const front = new Front();
  let world: SignInWorld;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    origin = await front.listen();
    world = await SignInWorld.start({ RELATA_BASE_URL: origin });
    front.target = world.provider.service.url;
    browser = await openChromium();
  });
  afterAll(async () => {
    await browser.close();
    front.close();
    await world.stop();
  });

  const open = async (site: SignInSite, page: Page) => page.goto(`${origin}/orgs/${slugOf(site)}/signin`);
  const withPassword = async (site: SignInSite, page: Page, person: { email: string; password: string }) => {
    await open(site, page);
    await page.getByLabel('Email or username').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  };

  it('registers a passkey, answers a challenge with it, and signs in by it alone', async () => {
    const site = await world.organization({ tenant: { mfaPolicy: { required: true, allowedMethods: ['webauthn'] } } });
    const person = await site.person();
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(45_000);
    const complaints = complaintsOf(page);
    const present = await addAuthenticator(context, page);
    await withPassword(site, page, person);
    await page.getByRole('heading', { name: 'Set up two-step verification' }).waitFor();
    await page.getByText('with scripts switched on').waitFor({ state: 'hidden' });
    expect(await accessibilityViolations(page)).toEqual([]);
    await takePicture(page, 'second-factor-key');
    await page.getByLabel('Name (optional)').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey or security key' }).click();
    await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await takePicture(page, 'recovery-codes');
    // nobody touches it while the page offers it among the user names
    await present(false);
    await context.clearCookies();
    await withPassword(site, page, person);
    await page.getByRole('heading', { name: 'Verify it’s you' }).waitFor();
    await present(true);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use a passkey or security key' }).click();
    await page.waitForURL(`${origin}/orgs/${slugOf(site)}/account`);
    // among the user names, where this authenticator does not wait to be chosen
    await context.clearCookies();
    await page.goto(`${origin}/orgs/${slugOf(site)}/signin`, { waitUntil: 'commit' });
    await page.waitForURL(`${origin}/orgs/${slugOf(site)}/account`);
    // and by its button
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    });
    await context.clearCookies();
    await open(site, page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${origin}/orgs/${slugOf(site)}/account`);
    // of an icon that browsers ask for by themselves
    expect(complaints.filter((each) => !each.includes('404 (Not Found)'))).toEqual([]);
    await context.close();
  }, 180_000);

  it('says so where nothing was chosen', async () => {
    const site = await world.organization();
    const context = await browser.newContext();
    const page = await context.newPage();
    await addAuthenticator(context, page);
    await open(site, page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('That didn’t work, or it took too long').waitFor();
    await context.close();
  });

  it('shows the picture of an app where it can be scanned, in light and dark', async () => {
    const site = await world.organization({
      tenant: { mfaPolicy: { required: true, allowedMethods: ['totp', 'sms'] } },
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme, javaScriptEnabled: colorScheme === 'light' });
      const page = await context.newPage();
      await withPassword(site, page, await site.person());
      await page.getByRole('heading', { name: 'Set up two-step verification' }).waitFor();
      const box = await page.getByRole('img', { name: /QR code/ }).boundingBox();
      expect(box?.width).toBeGreaterThan(150);
      await takePicture(page, `second-factor-app-${colorScheme}`);
      if (colorScheme === 'light') expect(await accessibilityViolations(page)).toEqual([]);
      await context.close();
    }
  });
});

function slugOf(site: SignInSite): string {
  return site.provider.organization.organization.slug;
}
