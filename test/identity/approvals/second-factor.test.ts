import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Page } from '../../browser/page.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import type { Visitor } from '../account/account-world.ts';
import { appOf } from '../mfa/mfa-world.ts';
import { SignInWorld } from '../signin/world.ts';
import { ApprovalScene } from './approval-scene.ts';

let world: SignInWorld;
let approvals: ApprovalScene;
let dora: Visitor;
let id: string;

beforeAll(async () => {
  world = await SignInWorld.start();
});
beforeEach(async () => {
  approvals = await ApprovalScene.in(world);
  await approvals.settings({ requireSecondFactor: true });
  dora = await approvals.approver();
  id = await approvals.ask();
});
afterAll(() => world.stop());

const status = () => approvals.scene.task(id).status;
const now = () => approvals.scene.elevations.clock.now();

/** From the password to the page that wants a second factor to be registered, and back with one. */
async function enrolled(asked: Page): Promise<{ back: Page; app: ReturnType<typeof appOf> }> {
  const { browser, person } = dora;
  const offer = await signIn(browser, asked, person);
  expect(offer.url.pathname).toBe(`${approvals.site.base}/signin/second-factor/enrol`);
  const page = await browser.click(offer, 'Authenticator app');
  const app = appOf(page.link('Open in an app on this device').href);
  const codes = await browser.submit(page, { code: app.generate({ timestamp: now() }) });
  return { back: await browser.click(codes, /saved my codes/), app };
}

test('is asked for before anything can be chosen, and then it is approved', async () => {
  const page = await approvals.open(dora, id);
  expect(page.text).toContain('Your organization requires a second step before you can approve.');
  expect(page.text).toContain('May db:write');
  expect(page.forms.some(({ fields }) => fields.some(({ name }) => name === 'scope'))).toBe(false);
  const asked = await dora.browser.submit(page, {}, { button: 'prove' });
  expect([asked.url.pathname, status()]).toEqual([`${approvals.site.base}/signin`, 'pending']);
  const { back } = await enrolled(asked);
  expect([back.url.pathname, back.heading]).toEqual([approvals.pathOf(id), 'An agent is asking for permissions']);
  expect((await dora.browser.submit(back, {}, { button: 'approve' })).heading).toBe('This request is approved');
});

test('is needed by a form that was made by hand, too', async () => {
  const page = await approvals.open(dora, id);
  const tampered = { decision: 'approve', scope: 'db:write', seconds: '60' };
  const asked = await dora.browser.submit(page, {}, { button: 'prove', tampered });
  expect([asked.url.pathname, status()]).toEqual([`${approvals.site.base}/signin`, 'pending']);
});

test('is needed anew after a while, by whoever has one', async () => {
  const asked = await dora.browser.submit(await approvals.open(dora, id), {}, { button: 'prove' });
  const { back, app } = await enrolled(asked);
  approvals.pass(590);
  expect(back.form(['seconds'])).toBeDefined();
  id = await approvals.ask();
  approvals.pass(11);
  const later = await approvals.open(dora, id);
  expect(later.forms.some(({ fields }) => fields.some(({ name }) => name === 'scope'))).toBe(false);
  const again = await dora.browser.submit(later, {}, { button: 'prove' });
  const challenge = await signIn(dora.browser, again, dora.person);
  expect(challenge.url.pathname).toBe(`${approvals.site.base}/signin/second-factor`);
  const proved = await dora.browser.submit(challenge, { code: app.generate({ timestamp: now() }) });
  expect(proved.url.pathname).toBe(approvals.pathOf(id));
  expect((await dora.browser.submit(proved, {}, { button: 'approve' })).heading).toBe('This request is approved');
});

test('is not needed to deny', async () => {
  const done = await dora.browser.submit(await approvals.open(dora, id), { reason: 'No' }, { button: 'deny' });
  expect([done.heading, status()]).toEqual(['This request is denied', 'denied']);
});
