import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { type SignInSite, SignInWorld } from '../signin/world.ts';
import { again, type Visitor, visitor } from './account-world.ts';

let world: SignInWorld;
let site: SignInSite;
let anne: Visitor;

beforeAll(async () => {
  world = await SignInWorld.start();
});
beforeEach(async () => {
  site = await world.organization();
  anne = await visitor(site, { name: 'Anne van Example' });
});
afterAll(() => world.stop());

describe('the way through the account', () => {
  const rooms = ['Profile', 'Security', 'Devices', 'Connected accounts', 'Applications', 'Agents'];

  test('leads to six rooms, and says which one is open', async () => {
    for (const name of rooms) {
      const first = await anne.open();
      expect(first.links.map(({ text }) => text).filter((text) => rooms.includes(text))).toEqual(rooms);
      const page = await anne.browser.click(first, name);
      expect([page.status, page.title]).toEqual([200, expect.stringContaining(name)]);
      const current = [...page.html.matchAll(/<a [^>]*aria-current="page"[^>]*>.*?<\/a>/g)].map(([link]) => link);
      expect(current[0]?.replace(/<[^>]*>/g, '')).toBe(name);
      expect(page.link('Skip to content').href).toBe('#main');
    }
  });

  test('keeps the addresses of before, each with its part of a room open', async () => {
    const opened = async (room: string) =>
      [...(await anne.open(room)).html.matchAll(/<details class="row" id="([^"]*)" open/g)].map(([, id]) => id);
    expect(await opened('')).toEqual([]);
    expect(await opened('/profile')).toEqual([]);
    expect(await opened('/email')).toEqual(['change-email']);
    expect(await opened('/password')).toEqual(['change-password']);
    expect(await opened('/factors')).toEqual([]);
  });

  test('has letters where there is no picture, and the picture where there is one', async () => {
    const before = await anne.open();
    expect(before.html).toMatch(/<span class="avatar large" aria-hidden="true">AE<\/span>/);
    expect(before.headers.get('content-security-policy')).not.toContain('pictures.example');
    await anne.browser.submit(before, { picture: 'https://pictures.example/anne.png' });
    const after = await anne.open();
    expect(after.html).toContain('src="https://pictures.example/anne.png"');
    expect(after.headers.get('content-security-policy')).toContain("img-src 'self' https://pictures.example");
  });
});

describe('who came long ago', () => {
  test('sees what is there, and signs in again to change what protects the account', async () => {
    site.provider.service.clock.advance(11 * 60_000);
    const profile = await anne.open();
    expect(profile.forms.map(({ id }) => id)).not.toContain('new-email');
    expect(profile.forms.map(({ id }) => id)).toContain('form-name');
    const security = await anne.open('/security');
    expect([security.url.pathname, security.text]).toEqual([
      `${site.base}/account/security`,
      expect.stringContaining('Last changed'),
    ]);
    expect(security.forms.map(({ id }) => id)).toEqual(['sign-out']);
    const asked = await anne.browser.click(security, 'Edit');
    expect(asked.url.pathname).toBe(`${site.base}/signin`);
    const back = await signIn(anne.browser, asked, anne.person);
    expect(back.url.pathname).toBe(`${site.base}/account/password`);
    expect(back.forms.map(({ id }) => id)).toContain('password-form');
  });
});

describe('what a form says', () => {
  test('a field that is wrong is open, marked, described and has the focus', async () => {
    const page = await anne.browser.submit(await anne.open(), { phoneNumber: 'call me' });
    expect(page.status).toBe(422);
    expect(page.html).toMatch(/<details class="row" id="edit-phoneNumber" open/);
    expect(page.html).toMatch(/<input id="phoneNumber"[^>]*autofocus[^>]*aria-invalid="true"/);
    expect(page.html).toContain('aria-describedby="phoneNumber-hint phoneNumber-error"');
    expect(page.html).toMatch(/<div class="errors" role="alert" id="errors"><p><a href="#phoneNumber">/);
  });

  test('success is said first: it is a status, and has the focus', async () => {
    const page = await anne.browser.submit(await anne.open(), { phoneNumber: '+41 44 668 18 00' });
    expect(page.html).toMatch(/<p class="notice" role="status" tabindex="-1" autofocus>Your profile was updated/i);
  });

  test('what is taken away is asked about before', async () => {
    await again(site, anne.person);
    const page = await anne.open('/sessions');
    expect(page.html).toMatch(/<details class="confirm"><summary[^>]*>Sign out everywhere else<\/summary>/);
    expect(page.text).toContain('This ends 1 other session.');
  });
});

describe('times and languages', () => {
  const times = (html: string) => [...html.matchAll(/<time [^>]*>[^<]*<\/time>/g)].map(([time]) => time);

  test('a time is in the zone of its reader: as set, or in UTC for a script to change', async () => {
    const utc = times((await anne.open('/sessions')).html);
    expect(utc).toHaveLength(2);
    for (const time of utc) expect(time).toMatch(/^<time datetime="\d{4}-[^"]*Z" data-local="en">[^<]* UTC<\/time>$/i);
    await anne.browser.submit(await anne.open(), { zoneinfo: 'Asia/Tokyo' });
    for (const time of times((await anne.open('/sessions')).html)) {
      expect(time).not.toMatch(/UTC|data-local/);
    }
  });

  test('the account speaks German where its user does', async () => {
    await anne.browser.submit(await anne.open(), { locale: 'de-CH' });
    const page = await anne.open('/security');
    expect([page.heading, page.html]).toEqual(['Sicherheit', expect.stringContaining('<html lang="de-CH"')]);
    for (const [room, heading] of [
      ['', 'Hallo, Anne van Example'],
      ['/sessions', 'Geräte'],
      ['/identities', 'Verbundene Konten'],
      ['/applications', 'Anwendungen'],
      ['/agents', 'Agenten'],
      ['/approvals', 'Anfragen von Agenten'],
      ['/agents/add', 'Einen Agenten für sich handeln lassen'],
    ] as const) {
      expect((await anne.open(room)).heading).toBe(heading);
    }
    const refused = await anne.browser.submit(await anne.open(), { phoneNumber: 'x' });
    expect(refused.text).toContain('Geben Sie eine Telefonnummer ein');
  });
});
