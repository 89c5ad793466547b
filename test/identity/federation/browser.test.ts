import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  accessibilityViolations,
  chromiumMissing,
  complaintsOf,
  type Look,
  looks,
  openChromium,
  takePicture,
} from '../../browser/chromium.ts';
import { Front } from '../../browser/front.ts';
import { SamlIdp } from './upstreams/saml-idp.ts';
import { type FederationSite, FederationWorld } from './world.ts';

/** The service is at `localhost` and the identity provider at an address: two sites, as browsers see them. */
describe.skipIf(chromiumMissing !== undefined)('in a real browser', () => {
  const front = new Front();
  let world: FederationWorld;
  let idp: SamlIdp;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    origin = await front.listen();
    [world, idp, browser] = await Promise.all([
      FederationWorld.start({ RELATA_BASE_URL: origin }),
      SamlIdp.open(),
      openChromium(),
    ]);
    front.target = world.signIns.provider.service.url;
  });
  afterAll(async () => {
    await browser.close();
    front.close();
    await Promise.all([world.stop(), idp.close()]);
  });
  beforeEach(() => idp.behave());

  const connected = () =>
    world.site({
      type: 'saml',
      name: 'Acme',
      clientId: `${origin}/sp`,
      clientSecret: 'asked for of every provider',
      metadataUrl: `${idp.url}/metadata`,
    });

  const open = async (on: FederationSite, path: string, look: Look = 'light') => {
    const context = await browser.newContext(looks[look]);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${origin}${on.base}${path}`);
    return { context, page, complaints };
  };

  const sees = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  it('an answer in a form of another site finds the browser that began', async () => {
    const on = await connected();
    const { context, page, complaints } = await open(on, '/signin');
    await page.getByRole('link', { name: 'Continue with Acme' }).click();
    await page.waitForURL(`${idp.url}/**`);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.waitForURL(`${origin}${on.base}/account`);
    expect(await on.session()).toMatchObject({ authMethod: 'sso' });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('the account page leads to the provider and back, which its policy for forms does not hinder', async () => {
    const on = await connected();
    const person = await on.site.person();
    const { context, page, complaints } = await open(on, '/signin');
    await page.getByLabel('Email or username').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${origin}${on.base}/account`);
    await page.goto(`${origin}${on.base}/account/identities`);
    await page.getByRole('button', { name: 'Acme' }).click();
    await page.waitForURL(`${idp.url}/**`);
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.waitForURL(`${origin}${on.base}/account/identities**`);
    expect(await on.identities(person.id)).toMatchObject([{ how: 'linked', subject: 'u-1001' }]);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await takePicture(page, 'federation-linked');
    await context.close();
  });

  it.each(Object.keys(looks) as Look[])('pages that say why it stops can be read by everybody: %s', async (look) => {
    const on = await connected();
    const { context, page } = await open(on, '/signin', look);
    await page.getByRole('link', { name: 'Continue with Acme' }).click();
    await page.waitForURL(`${idp.url}/**`);
    idp.behave({ signer: 'nobody' });
    await page.reload();
    await page.getByRole('button', { name: 'Go on' }).click();
    await sees(page, 'That didn’t work');
    expect(await accessibilityViolations(page)).toEqual([]);
    await takePicture(page, `federation-stopped-${look}`);
    await page.getByRole('link', { name: 'Choose how to sign in' }).click();
    await sees(page, 'Sign in');
    await page.goto(`${origin}${on.callback('saml')}?arrival=nothing`);
    await sees(page, 'This sign-in has expired');
    expect(await accessibilityViolations(page)).toEqual([]);
    await takePicture(page, `federation-over-${look}`);
    await context.close();
  });
});
