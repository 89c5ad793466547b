import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SignInWorld } from '../signin/world.ts';

describe('the language of pages', () => {
  let world: SignInWorld;

  beforeAll(async () => {
    world = await SignInWorld.start();
  });
  afterAll(() => world.stop());

  it('is the first of the browser’s that there are texts in, and English otherwise', async () => {
    const site = await world.organization();
    for (const [language, tag, heading] of [
      ['de-AT, de;q=0.9, en;q=0.5', 'de-AT', 'Anmelden'],
      ['fr, de;q=0.2', 'de', 'Anmelden'],
      ['fr', 'en', 'Sign in'],
      ['<script>', 'en', 'Sign in'],
    ]) {
      const page = await site.begin(site.browser(undefined, language));
      expect([page.heading, /<html lang="([^"]*)"/.exec(page.html)?.[1]]).toEqual([heading, tag]);
    }
  });

  it('is that of whoever is signed in, before that of the browser', async () => {
    const site = await world.organization();
    const person = await site.person({ locale: 'de-CH' });
    const browser = site.browser(undefined, 'en-US');
    const page = await site.begin(browser);
    expect(page.html).toContain('<html lang="en-US">');
    const account = await browser.submit(page, { identifier: person.email, password: person.password });
    expect(account.html).toContain('<html lang="de-CH">');
  });

  it('is that of the reader in problems as well, with an organization and without', async () => {
    const site = await world.organization();
    const browser = site.browser(undefined, 'de');
    const over = await browser.open(`${site.base}/signin?flow=none`);
    expect(over.heading).toBe('Diese Anmeldung ist abgelaufen');
    expect(over.text).toContain('beginnen Sie von vorn.');
    expect(over.text).not.toMatch(/expired|Start again/);
    const nowhere = await browser.open('/orgs/no-such-organization/signin');
    expect([nowhere.heading, nowhere.html.includes('<html lang="de">')]).toEqual(['Seite nicht gefunden', true]);
    const invalid = await browser.open(`${site.base}/signin?flow=${'x'.repeat(100)}`);
    expect([invalid.status, invalid.heading]).toEqual([400, 'Ungültige Anfrage']);
    expect(invalid.text).not.toMatch(/must|request is/);
  });

  it('is no part of what programs are answered', async () => {
    const site = await world.organization();
    const url = `${site.base}/api/v1/admin/users`;
    const { html } = await site.browser(undefined, 'de').open(url);
    expect(JSON.parse(html)).toMatchObject({ title: 'Valid credentials are required' });
  });
});
