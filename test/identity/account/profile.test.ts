import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { type SignInSite, SignInWorld } from '../signin/world.ts';
import { entriesOf, recordOf, type Visitor, visitor } from './account-world.ts';

let world: SignInWorld;
let site: SignInSite;
let anne: Visitor;

beforeAll(async () => {
  world = await SignInWorld.start();
});
beforeEach(async () => {
  site = await world.organization();
  anne = await visitor(site, { name: 'Anne' });
});
afterAll(() => world.stop());

describe('the profile', () => {
  test('shows what there is, and keeps what is changed', async () => {
    const page = await anne.open('/profile');
    expect(page.form(['name']).fields.find(({ name }) => name === 'name')?.value).toBe('Anne');
    const values = {
      name: 'Anne Example',
      givenName: 'Anne',
      familyName: 'Example',
      picture: 'https://pictures.example/anne.png',
      phoneNumber: '+41 44 668 18 00',
      locale: 'de-CH',
      zoneinfo: 'Europe/Zurich',
    };
    let saved = page;
    for (const names of [['name', 'givenName', 'familyName'], ['picture'], ['phoneNumber'], ['locale'], ['zoneinfo']]) {
      const form = Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
      saved = await anne.browser.submit(saved, form);
      expect([saved.status, saved.text]).toEqual([
        200,
        expect.stringMatching(/Your profile was updated|Ihr Profil wurde geändert/),
      ]);
    }
    expect(await recordOf(site, anne.person)).toMatchObject({
      name: 'Anne Example',
      givenName: 'Anne',
      familyName: 'Example',
      locale: 'de-CH',
      zoneinfo: 'Europe/Zurich',
    });
    expect((await entriesOf(site, 'user.update_own')).slice(0, 1)).toMatchObject([
      { eventType: 'user.updated', actorId: anne.person.id, actorType: 'user', targetId: anne.person.id },
    ]);
  });

  test('an empty field takes away what stood there', async () => {
    await anne.browser.submit(await anne.open('/profile'), { name: '' });
    expect((await recordOf(site, anne.person)).name).toBe('');
  });

  test.each([
    { field: 'name', value: 'x'.repeat(201), says: 'Enter one line of at most 200 characters.' },
    { field: 'picture', value: 'javascript:alert(1)', says: 'Enter a web address that starts with https://' },
    { field: 'phoneNumber', value: 'call me', says: 'Enter a phone number, such as' },
  ])('a $field that cannot be is said beside the field: $value', async ({ field, value, says }) => {
    const page = await anne.browser.submit(await anne.open('/profile'), { [field]: value });
    expect(page.status).toBe(422);
    expect(page.text).toContain(says);
    expect(page.form([field]).fields.find(({ name }) => name === field)?.value).toBe(value);
    expect(page.html).toContain(`aria-describedby`);
    expect(page.html).toMatch(new RegExp(`id="${field}"[^>]*autofocus`));
    expect(await recordOf(site, anne.person)).toMatchObject({ name: 'Anne' });
  });

  test('what is typed is text, whatever it looks like', async () => {
    const name = '<script>alert(1)</script> "quoted" &amp;';
    const page = await anne.browser.submit(await anne.open('/profile'), { name });
    expect(page.html).not.toContain('<script>alert');
    expect(page.form(['name']).fields.find((field) => field.name === 'name')?.value).toBe(name);
    expect((await anne.open()).heading).toBe(`Hello, ${name}`);
  });

  test('nobody gives themselves what a policy decides by', async () => {
    const { organization } = site.provider;
    await organization.tenant('POST', '/admin/permissions', { body: { name: 'Read', slug: 'doc:read' } });
    const policy = { name: 'Local', permissions: ['doc:read'], condition: 'subject.locale == "de-CH"' };
    const made = await organization.tenant('POST', '/admin/policies', { body: policy });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const page = await anne.open('/profile');
    expect(page.form(['name']).fields.map(({ name }) => name)).not.toContain('locale');
    const forced = await anne.browser.submit(page, { name: 'Anne' }, { tampered: { locale: 'de-CH' } });
    expect([forced.status, forced.text]).toEqual([
      422,
      expect.stringContaining('Only an administrator can change this.'),
    ]);
    expect((await recordOf(site, anne.person)).locale).toBe('');
  });

  test('fields that are not one’s own are ignored', async () => {
    const tampered = { title: 'Director', username: 'root', isActive: 'false', roles: 'ROLE_TENANT_ADMIN' };
    const page = await anne.browser.submit(await anne.open('/profile'), { name: 'Anne' }, { tampered });
    expect(page.status).toBe(200);
    expect(await recordOf(site, anne.person)).toMatchObject({ isActive: true, roles: [] });
    expect((await recordOf(site, anne.person)).username).toBe('');
  });
});

describe('the email address', () => {
  const ask = async (email: string) => anne.browser.submit(await anne.open('/email'), { email });

  test('changes when the link is followed that is mailed to the new one, and the old one is told', async () => {
    const asked = await ask('new@example.com');
    expect(asked.text).toContain('Check your email');
    expect(await recordOf(site, anne.person)).toMatchObject({ email: anne.person.email });
    const page = await anne.browser.open(await site.mailedLink('new@example.com'));
    expect(page.text).toContain('new@example.com');
    const done = await anne.browser.submit(page, {}, { button: 'Use this address' });
    expect(done.text).toContain('Your email address was changed.');
    expect(await recordOf(site, anne.person)).toMatchObject({ email: 'new@example.com', emailVerified: true });
    expect(
      site
        .mails(anne.person.email)
        .map(({ raw }) => raw)
        .join(),
    ).toContain('Your email address was changed');
    expect(await entriesOf(site, 'user.change_own_email')).toMatchObject([{ severity: 'warning' }]);
  });

  test('that an administrator has entered is confirmed by a link that its user asks for', async () => {
    expect((await anne.open('/email')).text).not.toContain('Send a link to confirm it');
    await site.provider.organization.org('PATCH', `/admin/users/${anne.person.id}`, { body: { emailVerified: false } });
    const asked = await anne.browser.submit(await anne.open('/email'), {}, { button: 'Send a link to confirm it' });
    expect(asked.text).toContain('Check your email');
    const page = await anne.browser.open(await site.mailedLink(anne.person.email));
    await anne.browser.submit(page, {}, { button: 'Use this address' });
    expect(await recordOf(site, anne.person)).toMatchObject({ email: anne.person.email, emailVerified: true });
  });

  test('the link is followed once, by this user alone, and within an hour', async () => {
    await ask('mine@example.com');
    const link = await site.mailedLink('mine@example.com');
    const bob = await visitor(site);
    expect((await bob.browser.open(link)).status).toBe(404);
    const page = await anne.browser.open(link);
    const foreign = await bob.browser.post(page.form([], 'Use this address').action, {
      token: new URL(link).searchParams.get('token') ?? '',
    });
    expect(foreign.status).toBe(403);
    await anne.browser.submit(page, {}, { button: 'Use this address' });
    expect((await anne.browser.submit(page, {}, { button: 'Use this address' })).status).toBe(404);
    site.provider.service.clock.advance(61_000);
    await ask('later@example.com');
    const late = await site.mailedLink('later@example.com');
    site.provider.service.clock.advance(121 * 60_000);
    const asked = await anne.browser.open(late);
    const after = await signIn(anne.browser, asked, { ...anne.person, email: 'mine@example.com' });
    expect([after.url.pathname, after.text]).toEqual([
      `${site.base}/account/email`,
      expect.stringContaining('open the link in the email again'),
    ]);
    expect((await anne.browser.open(late)).status).toBe(404);
  });

  test('of somebody else: the answer is the same, and only the mail says so', async () => {
    const bob = await visitor(site);
    const free = await ask('free@example.com');
    site.provider.service.clock.advance(61_000);
    const held = await ask(bob.person.email);
    expect([held.status, held.text]).toEqual([free.status, free.text]);
    const mail = site
      .mails(bob.person.email)
      .map(({ raw }) => raw)
      .join();
    expect(mail).toContain('already has an account');
    expect(mail).not.toContain('/account/email/confirm');
  });

  test('is not asked for every second, and must be one', async () => {
    await ask('one@example.com');
    expect(await ask('two@example.com')).toMatchObject({ status: 422 });
    expect(site.mails('two@example.com')).toEqual([]);
    const page = await ask('nobody');
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('Enter a valid email address')]);
  });

  test('a link that was mailed before an administrator changed the address is void', async () => {
    await ask('mine@example.com');
    const link = await site.mailedLink('mine@example.com');
    await site.provider.organization.org('PATCH', `/admin/users/${anne.person.id}`, {
      body: { email: 'set@example.com' },
    });
    expect((await anne.browser.open(link)).status).toBe(404);
  });
});
