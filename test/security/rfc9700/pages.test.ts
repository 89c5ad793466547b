import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormBrowser } from '../../browser/form-browser.ts';
import type { Form, Page } from '../../browser/page.ts';
import { SmtpInbox } from '../../platform/smtp-inbox.ts';
import { Certification } from '../../protocols/oauth/conformance/certification.ts';
import type { RelyingParty } from '../../protocols/oauth/relying-party.ts';

let inbox: SmtpInbox;
let suite: Certification;
let party: RelyingParty;
let visited: ReadonlyMap<string, { readonly page: Page; readonly browser: FormBrowser }>;

beforeAll(async () => {
  inbox = await SmtpInbox.open();
  suite = await Certification.start('pages', { RELATA_SMTP_URL: inbox.url });
  const body = { login_flow: { magic_link_enabled: true }, registration: { signup_enabled: true } };
  expect((await suite.provider.organization.org('PATCH', '/admin/settings/auth', { body })).status).toBe(200);
  party = await suite.client();
  visited = await walk();
});
afterAll(async () => {
  await suite.stop();
  await inbox.close();
});

/** Every page that a browser can be led to by a link, signed in and not. */
async function walk() {
  const found = new Map<string, { page: Page; browser: FormBrowser }>();
  const signedIn = (await suite.flow(party)).browser;
  const slug = suite.provider.organization.organization.slug;
  for (const [who, browser, starts] of [
    ['out', suite.browser(), [String((await party.begin()).url), `/orgs/${slug}/device`]],
    ['in', signedIn, [`/orgs/${slug}/account`, `/orgs/${slug}/device`, `/orgs/${slug}/signout`]],
    ['bad', suite.browser(), [`/orgs/${slug}/nowhere`, `/orgs/${slug}/signin?flow=nobody`, '/orgs/nobody/signin']],
  ] as const) {
    // a set grows while it is walked, and takes each address once
    const waiting = new Set<string>(starts);
    for (const address of waiting) {
      if (waiting.size > 80) throw new Error(`too many pages: ${[...waiting].join(' ')}`);
      const page = await browser.open(address);
      if (page.departure !== undefined) continue;
      const name = `${who}: ${page.url.pathname.replace(/^\/orgs\/[^/]+/, '')} (${page.status})`;
      if (found.has(name) || !(page.headers.get('content-type') ?? '').startsWith('text/html')) continue;
      found.set(name, { page, browser });
      for (const { href } of page.links) {
        const url = new URL(href, page.url);
        if (url.origin === page.url.origin && url.pathname.startsWith('/orgs/')) waiting.add(url.href);
      }
    }
  }
  const consent = suite.browser();
  found.set('out: /consent (200)', { page: await suite.consentPage(party, { prompt: 'consent' }), browser: consent });
  return found;
}

describe('RFC 9700, 4.16: pages', () => {
  test('are reached: those of sign-in, of the account, of consent, and those that say what is wrong', () => {
    const names = [...visited.keys()].join('\n');
    expect(names).toMatch(/^out: \/signin \(200\)$/m);
    expect(names).toMatch(/^out: \/signin\/forgot \(200\)$/m);
    expect(names).toMatch(/^in: \/account \(200\)$/m);
    expect(names).toMatch(/^out: \/consent \(200\)$/m);
    expect(names).toMatch(/^bad: .* \(40\d\)$/m);
    expect(visited.size).toBeGreaterThan(10);
  });

  test('can be framed by nobody, run nothing inline, and are kept by no cache', () => {
    for (const [name, { page }] of visited) {
      const policy = new Map(
        (page.headers.get('content-security-policy') ?? '').split(';').map((part) => {
          const [directive = '', ...sources] = part.trim().split(' ');
          return [directive, sources];
        }),
      );
      const said = {
        name,
        frames: policy.get('frame-ancestors'),
        base: policy.get('base-uri'),
        others: policy.get('default-src'),
        unsafe: [...policy.values()].flat().filter((source) => /unsafe|\*|^data:$|^https?:$/.test(source)),
        frame: page.headers.get('x-frame-options'),
        sniffing: page.headers.get('x-content-type-options'),
        referrer: page.headers.get('referrer-policy'),
        cache: page.headers.get('cache-control'),
      };
      expect(said).toEqual({
        name,
        frames: ["'none'"],
        base: ["'none'"],
        others: ["'none'"],
        unsafe: [],
        frame: 'DENY',
        sniffing: 'nosniff',
        referrer: expect.stringMatching(/^(no-referrer|same-origin|strict-origin.*)$/),
        cache: expect.stringContaining('no-store'),
      });
      expect(page.html).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|<style|\sstyle=|javascript:/i);
      for (const [, source = ''] of page.html.matchAll(/<(?:script|link)[^>]*(?:src|href)="([^"]+)"/g)) {
        expect(new URL(source, page.url).origin).toBe(page.url.origin);
      }
      expect(page.html).toMatch(/^<!doctype html><html[^>]* lang="[a-z]/i);
      expect({ name, heading: page.heading !== '', title: page.title !== '' }).toEqual({
        name,
        heading: true,
        title: true,
      });
    }
  });

  test('set no cookie that scripts read or that leaves the organization', () => {
    const cookies = [...visited.values()].flatMap(({ browser }) => browser.cookies.all());
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ secure: true, path: expect.stringMatching(/^\/orgs\/pages\//) });
      // the state that check_session compares is read by its script, in a frame of another site
      const isForFrames = cookie.sameSite === 'None';
      expect(cookie).toMatchObject(isForFrames ? { httpOnly: false } : { httpOnly: true, sameSite: 'Lax' });
    }
  });

  test('take no form that another site sends, nor one without their token', async () => {
    let tried = 0;
    for (const { page, browser } of visited.values()) {
      for (const form of page.forms.filter(({ method }) => method === 'POST')) {
        const button = form.buttons[0]?.name === undefined ? [] : form.buttons.slice(0, 1);
        const fields = Object.fromEntries([...form.fields, ...button].map(({ name, value }) => [String(name), value]));
        const from = 'https://evil.example';
        const url = new URL(form.action, page.url);
        const { csrf: _, ...without } = fields;
        const stranger = suite.browser();
        await stranger.open(page.url);
        const answers = [
          await browser.post(url, fields, { from, forgetsSameSite: true }),
          await browser.post(url, fields, { from }),
          await browser.post(url, without),
          await browser.post(url, { ...fields, csrf: changed(form) }),
          await stranger.post(url, fields),
          await browser.post(url, fields, {
            headers: { 'sec-fetch-site': 'same-site', origin: 'https://x.example.test' },
          }),
        ];
        expect({ url: url.pathname, statuses: answers.map(({ status }) => status) }).toEqual({
          url: url.pathname,
          statuses: answers.map(() => 403),
        });
        tried++;
      }
    }
    expect(tried).toBeGreaterThan(5);
  });
});

function changed({ fields }: Form): string {
  const token = fields.find(({ name }) => name === 'csrf')?.value ?? '';
  return token.replace(/.$/, (end) => (end === 'A' ? 'B' : 'A'));
}
