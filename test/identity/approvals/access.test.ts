import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import type { Visitor } from '../account/account-world.ts';
import { SignInWorld } from '../signin/world.ts';
import { ApprovalScene } from './approval-scene.ts';

let world: SignInWorld;
let approvals: ApprovalScene;
let dora: Visitor;

beforeAll(async () => {
  world = await SignInWorld.start();
});
beforeEach(async () => {
  approvals = await ApprovalScene.in(world);
  dora = await approvals.approver();
});
afterAll(() => world.stop());

const status = (id: string) => approvals.scene.task(id).status;

/** What a form of the page sends, with a token for this browser. */
async function posted({ browser }: Visitor, id: string, more: Readonly<Record<string, string>> = {}) {
  const csrf = approvals.site.csrf(browser, approvals.pathOf(id));
  const { digest, seconds } = { digest: approvals.scene.digest(id), seconds: '60' };
  const fields = { decision: 'approve', scope: 'db:write', digest, seconds, csrf, ...more };
  return browser.post(approvals.pathOf(id), fields);
}

describe('who decides', () => {
  const nobody = [
    { name: 'nothing', permissions: [] },
    { name: 'the scope alone', permissions: ['db:write'] },
    { name: 'the right to approve alone', permissions: ['jit.approve'] },
    { name: 'another scope', permissions: ['jit.approve', 'docs:read', 'docs:write'] },
  ];
  test.each(nobody)('whoever holds $name sees nothing, and is told nothing', async ({ permissions }) => {
    const id = await approvals.ask();
    const stranger = await approvals.person(...permissions);
    const seen = await approvals.open(stranger, id);
    const never = await approvals.open(stranger, 'no-such-task');
    expect([seen.status, never.status]).toEqual([404, 404]);
    const without = (text: string) => text.replace(/Request ID: \S+/, '');
    expect(without(seen.text)).toBe(without(never.text));
    expect(seen.text).toContain(`You’re signed in as ${stranger.person.email}.`);
    for (const decision of ['approve', 'deny', 'prove']) {
      expect((await posted(stranger, id, { decision })).status).toBe(404);
    }
    expect(status(id)).toBe('pending');
  });

  test('an administrator does who holds the scopes, and nobody else for a delegating user', async () => {
    const admin = await approvals.person('settings.manage', 'db:write');
    const id = await approvals.ask();
    expect((await approvals.open(admin, id)).status).toBe(200);
    const emil = await approvals.person('db:write');
    const own = await approvals.askFor(emil);
    expect((await approvals.open(emil, own)).status).toBe(200);
    for (const other of [admin, dora]) {
      expect([(await approvals.open(other, own)).status, (await posted(other, own)).status]).toEqual([404, 404]);
    }
    expect((await posted(emil, own)).heading).toBe('This request is approved');
  });

  test('the delegating user lends only what they hold', async () => {
    const emil = await approvals.person('docs:read');
    const id = await approvals.askFor(emil, { required_scopes: ['docs:read', 'db:write'] });
    const page = await approvals.open(emil, id);
    expect(page.text).toContain('You don’t have this permission yourself');
    expect(page.html).toMatch(/<input id="scope-db:write"[^>]* disabled/);
    const forced = await emil.browser.submit(page, {}, { button: 'approve', tampered: { scope: 'db:write' } });
    expect([forced.status, status(id)]).toEqual([422, 'pending']);
    expect(forced.text).toContain('You don’t have db:write yourself');
    expect((await emil.browser.submit(page, {}, { button: 'approve' })).heading).toBe('This request is approved');
    expect(approvals.scene.task(id).grant?.scopes).toEqual(['docs:read']);
  });

  test('whoever lost the right while the page was open decides nothing, and is told so', async () => {
    const id = await approvals.ask({ task_description: 'Correct the prices' });
    const page = await approvals.open(dora, id);
    await approvals.scene.revoke(dora.person, 'db:write');
    for (const button of ['approve', 'deny']) {
      const late = await dora.browser.submit(page, {}, { button });
      expect([late.status, late.heading]).toEqual([403, 'You can no longer decide this']);
      // what it was about is no longer theirs to read
      expect(late.text).not.toMatch(/Night shift|Correct the prices|db:write/);
    }
    expect([status(id), approvals.scene.lent(id)]).toEqual(['pending', []]);
  });

  test('whoever lost the right is told so behind the links that led to the request, and nobody else is', async () => {
    const id = await approvals.ask();
    await approvals.ask();
    const mailed = await approvals.site.mailedLink(dora.person.email, 2);
    const inbox = (await dora.open('/approvals')).links.map(({ href }) => href);
    const links = [...inbox.filter((href) => href.includes('/approvals/')), mailed];
    const link = links.find((href) => href.includes(id)) ?? '';
    const other = links.find((href) => href.includes('/approvals/') && !href.includes(id)) ?? '';
    expect((await dora.browser.open(link)).status).toBe(200);
    await approvals.scene.revoke(dora.person, 'db:write');
    for (const each of links) expect((await dora.browser.open(each)).status, each).toBe(403);
    expect((await dora.browser.open(link)).heading).toBe('You can no longer decide this');
    // the address alone, what proves another request, and what proves it of somebody else
    const proof = new URL(other, 'http://x').search;
    const emil = await approvals.person('docs:read');
    expect((await approvals.open(dora, id)).status).toBe(404);
    expect((await dora.browser.open(approvals.pathOf(id) + proof)).status).toBe(404);
    expect((await emil.browser.open(link)).status).toBe(404);
  });

  test('nobody does who is signed out: they sign in and come back', async () => {
    const id = await approvals.ask();
    const browser = approvals.site.browser();
    const asked = await browser.open(approvals.pathOf(id));
    expect(asked.url.pathname).toBe(`${approvals.site.base}/signin`);
    expect(asked.text).not.toContain('Night shift');
    const back = await signIn(browser, asked, dora.person);
    expect([back.url.pathname, back.heading]).toEqual([approvals.pathOf(id), 'An agent is asking for permissions']);
  });

  test('a session that ended while the page was open decides nothing', async () => {
    const id = await approvals.ask();
    const page = await approvals.open(dora, id);
    await approvals.site.provider.organization.org('DELETE', `/admin/users/${dora.person.id}/sessions`);
    const late = await dora.browser.submit(page, {}, { button: 'approve' });
    expect([late.url.pathname, status(id)]).toEqual([`${approvals.site.base}/signin`, 'pending']);
  });

  test('a page of who was signed in before does nothing for who is now', async () => {
    const id = await approvals.ask();
    const page = await approvals.open(dora, id);
    const emil = await approvals.approver();
    await dora.browser.submit(await dora.open(), {}, { button: 'Sign out' });
    await signIn(dora.browser, await dora.open(), emil.person);
    const late = await dora.browser.submit(page, {}, { button: 'approve' });
    expect(late.text).toContain('Nothing was changed.');
    expect(status(id)).toBe('pending');
  });
});

describe('another organization', () => {
  test('has no page for it, whoever asks', async () => {
    const id = await approvals.ask();
    const other = await ApprovalScene.in(world);
    const eve = await other.approver();
    const there = await eve.browser.open(other.pathOf(id));
    expect(there.status).toBe(404);
    // signed in there is not signed in here
    const here = await eve.browser.open(approvals.pathOf(id));
    expect(here.url.pathname).toBe(`${approvals.site.base}/signin`);
    const csrf = other.site.csrf(eve.browser, other.pathOf(id));
    expect((await eve.browser.post(approvals.pathOf(id), { csrf, decision: 'deny' })).status).toBe(403);
    expect(status(id)).toBe('pending');
  });
});

describe('forms', () => {
  test('from elsewhere, or for another request, do nothing', async () => {
    const [id, second] = [await approvals.ask(), await approvals.ask()];
    const { browser } = dora;
    const path = approvals.pathOf(id);
    const own = approvals.site.csrf(browser, path);
    const fields = { decision: 'approve', scope: 'db:write', digest: approvals.scene.digest(id), seconds: '60' };
    const evil = { from: 'https://evil.example', forgetsSameSite: true };
    const tries = [
      await browser.post(path, fields),
      await browser.post(path, { ...fields, csrf: '' }),
      await browser.post(path, { ...fields, csrf: approvals.site.csrf(browser, approvals.pathOf(second)) }),
      await browser.post(path, { ...fields, csrf: own }, evil),
    ];
    expect(tries.map((page) => page.status)).toEqual([403, 403, 403, 403]);
    expect(status(id)).toBe('pending');
    expect((await browser.post(path, { ...fields, csrf: own })).heading).toBe('This request is approved');
  });

  const malformed = [
    { name: 'no decision', fields: { decision: '' } },
    { name: 'another decision', fields: { decision: 'both' } },
    { name: 'a long reason', fields: { decision: 'deny', reason: 'x'.repeat(1001) } },
    { name: 'a long digest', fields: { digest: 'x'.repeat(129) } },
  ];
  test.each(malformed)('with $name are refused', async ({ fields }) => {
    const id = await approvals.ask();
    const page = await posted(dora, id, fields as Record<string, string>);
    expect([page.status, status(id)]).toEqual([400, 'pending']);
  });

  test('with a digest of something else show the request anew', async () => {
    const [id, other] = [await approvals.ask(), await approvals.ask({ task_description: 'Other' })];
    for (const digest of [approvals.scene.digest(other), '']) {
      expect((await posted(dora, id, { digest })).status).toBe(409);
      expect((await posted(dora, id, { digest, decision: 'deny' })).status).toBe(409);
    }
    expect(status(id)).toBe('pending');
  });

  test('are kept by no cache and held in no frame', async () => {
    const { headers } = await approvals.open(dora, await approvals.ask());
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
  });

  test('have a box for each of fifty permissions and a hundred resources', async () => {
    const { organization } = approvals.site.provider;
    const scopes = Array.from({ length: 50 }, (_, at) => `many:a${at}`);
    for (const slug of scopes) await organization.org('POST', '/admin/permissions', { body: { slug, name: slug } });
    const resources = Array.from({ length: 100 }, (_, at) => `many:${'ü'.repeat(60)}${at}`);
    const emil = await approvals.person('jit.approve', ...scopes);
    const id = await approvals.ask({ required_scopes: scopes, resources });
    const done = await emil.browser.submit(await approvals.open(emil, id), {}, { button: 'approve' });
    expect(done.heading).toBe('This request is approved');
    expect(approvals.scene.task(id).grant).toMatchObject({ scopes, resources });
  });
});

const nowhere = [
  { name: 'leads up', text: '%2e%2e' },
  { name: 'leads elsewhere', text: '..%2faccount' },
  { name: 'is longer than an id', text: 'x'.repeat(129) },
  { name: 'is very long', text: 'x'.repeat(3000) },
  { name: 'has a control character', text: '%00' },
  { name: 'has a backslash', text: '%5c' },
  { name: 'is a picture', text: '%F0%9F%8E%89' },
  { name: 'is markup', text: '<script>' },
];
test.each(nowhere)('an address that $name is no fault of the service, signed in or not', async ({ text }) => {
  const address = `${approvals.site.base}/approvals/${text}`;
  expect((await dora.browser.open(address)).status).toBeLessThan(500);
  const page = await approvals.site.browser().open(address);
  expect(page.status).toBeLessThan(500);
  expect(page.url.pathname.startsWith(`${approvals.site.base}/`)).toBe(true);
});
