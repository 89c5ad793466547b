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
import { type SignInSite, SignInWorld } from '../signin/world.ts';

const loud = {
  branding: {
    welcome_text: 'Welcome to Acme.\nWe are glad that you are here.',
    footer_text: 'Acme Inc. · 1 Example Street',
    primary_color: '#fde047',
    text_color: '#f9a8d4',
    background_type: 'gradient',
    background_gradient_start: '#0f172a',
    background_gradient_end: '#db2777',
    custom_html: '<p>Read <a href="https://acme.example/terms">our terms</a>.</p>',
  },
  general: { name: 'Acme', supportEmail: 'help@acme.example' },
  auth: { login_flow: { magic_link_enabled: true } },
  authentication: { allowSignup: true },
};

describe('pages in a browser', () => {
  let world: SignInWorld;
  let chromium: Browser;

  beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));
  beforeAll(async () => {
    if (chromiumMissing !== undefined) return;
    // whatever a page names is a path, so that a browser finds it at the port of this run
    world = await SignInWorld.start({ RELATA_BASE_URL: 'http://127.0.0.1' });
    chromium = await openChromium();
  });
  afterAll(async () => {
    await chromium?.close();
    await world?.stop();
  });

  const plain = { authentication: { allowSignup: true }, auth: { login_flow: { magic_link_enabled: true } } };

  async function visited(site: SignInSite, look: Look, visit: (page: Page) => Promise<void>): Promise<void> {
    const context = await chromium.newContext({ ...looks[look], baseURL: world.provider.service.url });
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(`${site.base}/signin`);
    await visit(page);
    // a refused form is a complaint of the browser's own
    expect(complaints.filter((each) => !/status of 4(?:04|22|29)/.test(each))).toEqual([]);
    await context.close();
  }

  async function judged(page: Page, name: string): Promise<void> {
    await takePicture(page, name);
    expect(await accessibilityViolations(page)).toEqual([]);
    const overflow = await page.evaluate(() => {
      const { documentElement } = globalThis.document as unknown as {
        documentElement: { scrollWidth: number; clientWidth: number };
      };
      return documentElement.scrollWidth - documentElement.clientWidth;
    });
    expect(overflow).toBeLessThanOrEqual(0);
  }

  /** To the page that comes after a click. */
  async function onwards(page: Page, selector: string): Promise<void> {
    await Promise.all([page.waitForEvent('load'), page.click(selector)]);
  }

  const all = (Object.keys(looks) as Look[]).flatMap((look) =>
    (['plain', 'loud'] as const).map((name) => ({ look, name })),
  );

  it.each(all)('can be used by everybody: $name, $look', async ({ look, name }) => {
    const site = await world.organization({ plain, loud }[name]);
    const person = await site.person();
    await visited(site, look, async (page) => {
      const at = (step: string) => judged(page, `${name}-${look}-${step}`);
      await at('sign-in');
      await page.fill('#identifier', person.email);
      await page.fill('#password', 'wrong');
      await onwards(page, 'button[value=password]');
      await at('refused');
      await onwards(page, 'text=Forgot your password?');
      await at('forgotten');
      await page.fill('#email', person.email);
      await onwards(page, '.button.main');
      await at('sent');
      await page.goto(
        await site.mailedLink(person.email).then((link) => new URL(link).pathname + new URL(link).search),
      );
      await page.fill('#password', 'x');
      await onwards(page, '.button.main');
      await at('new-password');
      await page.goto(`${site.base}/signin`);
      await onwards(page, 'text=Create an account');
      await at('signup');
      await page.goto(`${site.base}/signin?flow=gone`);
      await at('problem');
    });
  });
});
