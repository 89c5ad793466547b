import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addRequest } from '../../../src/directory/elevations/index.ts';
import { again, type Visitor } from '../account/account-world.ts';
import { facts } from '../sessions/in-process-service.ts';
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

const task = (id: string) => approvals.scene.task(id);
const justify = (id: string, scope: string, justification: string) =>
  addRequest(approvals.scene.elevations, approvals.scene.caller(approvals.agentId), facts, {
    task_id: id,
    scope,
    justification,
  });

describe('a request', () => {
  test('shows what is asked, by whom, why, where and for how long', async () => {
    const id = await approvals.ask({
      task_description: 'Correct the prices\nof Monday',
      required_scopes: ['docs:read', 'db:write'],
      resources: ['db:prices', 'db:stock', 'docs:list'],
      duration: 600,
    });
    await justify(id, 'db:write', 'Three prices are wrong.');
    const { text, html, status } = await approvals.open(dora, id);
    expect(status).toBe(200);
    for (const part of [
      'Night shift',
      'a service with no owner',
      'May docs:read',
      'May db:write',
      'Three prices are wrong.',
      'db:prices',
      'docs:list',
      '10 minutes',
      'wants to use 2 of your permissions for 10 minutes',
      '(10 minutes left)',
      'Only for the resources below of type docs.',
      'Only for the resources below of type db.',
    ]) {
      expect(text).toContain(part);
    }
    // line breaks of the agent are kept
    expect(html).toContain('Correct the prices\nof Monday');
  });

  test('says a slug once that is its own name', async () => {
    const { org } = approvals.scene;
    const made = await org.org('POST', '/admin/permissions', { body: { slug: 'plan:read', name: 'plan:read' } });
    expect(made.status).toBe(201);
    await approvals.scene.grant(dora.person, 'plan:read');
    const id = await approvals.ask({ required_scopes: ['plan:read', 'db:write'] });
    const said = (html: string, slug: string) => html.split(`>${slug}<`).length - 1;
    const page = await approvals.open(dora, id);
    expect([said(page.html, 'plan:read'), said(page.html, 'db:write')]).toEqual([1, 1]);
    expect([said(page.html, 'May plan:read'), said(page.html, 'May db:write')]).toEqual([0, 1]);
    const done = await dora.browser.submit(page, {}, { button: 'approve' });
    expect([said(done.html, 'plan:read'), said(done.html, 'db:write')]).toEqual([1, 1]);
  });

  test('for everything says so, and by the type of the permission', async () => {
    const body = { slug: 'nightly', name: 'Work at night' };
    await approvals.site.provider.organization.org('POST', '/admin/permissions', { body });
    const other = await approvals.person('jit.approve', 'nightly', 'docs:read');
    const id = await approvals.ask({ required_scopes: ['nightly', 'docs:read'] });
    const { text } = await approvals.open(other, id);
    expect(text).toContain('For everything of type docs.');
    expect(text).toContain('Everywhere in your organization.');
  });

  test('is approved as it is', async () => {
    const id = await approvals.ask({ required_scopes: ['docs:read', 'db:write'], duration: 600 });
    const done = await dora.browser.submit(await approvals.open(dora, id), {}, { button: 'approve' });
    expect([done.url.pathname, done.heading]).toEqual([approvals.pathOf(id), 'This request is approved']);
    expect(done.text).toContain('You approved this request.');
    const now = approvals.scene.elevations.clock.now();
    expect(task(id)).toMatchObject({
      status: 'approved',
      decided: { by: dora.person.id, byType: 'user' },
      grant: { lenderId: dora.person.id, scopes: ['docs:read', 'db:write'], until: now + 600_000 },
    });
    expect(task(id).grant?.resources).toBeUndefined();
    expect(approvals.scene.lent(id)).toEqual(['permission:db:write', 'permission:docs:read']);
  });

  test('is narrowed: fewer permissions, fewer resources, a shorter time', async () => {
    const resources = ['db:prices', 'db:stock'];
    const id = await approvals.ask({ required_scopes: ['docs:read', 'db:write'], resources, duration: 600 });
    const page = await approvals.open(dora, id);
    const tampered = { scope: 'db:write', resource: '1' };
    const done = await dora.browser.submit(page, { seconds: '60' }, { button: 'approve', tampered });
    expect(done.heading).toBe('This request is approved');
    const until = approvals.scene.elevations.clock.now() + 60_000;
    const grant = { lenderId: dora.person.id, scopes: ['db:write'], resources: ['db:stock'], until };
    expect(task(id).grant).toEqual(grant);
    expect(done.text).toContain('db:stock');
    expect(done.text).not.toContain('db:prices');
  });

  test('for everything is narrowed to a few resources', async () => {
    const id = await approvals.ask();
    const page = await approvals.open(dora, id);
    const wrong = await dora.browser.submit(page, { only: 'no object' }, { button: 'approve' });
    expect([wrong.status, task(id).status]).toEqual([422, 'pending']);
    expect(wrong.text).toContain('no object');
    const done = await dora.browser.submit(wrong, { only: ' db:prices\r\n\r\ndb:stock' }, { button: 'approve' });
    expect(done.heading).toBe('This request is approved');
    expect(task(id).grant?.resources).toEqual(['db:prices', 'db:stock']);
  });

  const refused = [
    { name: 'no permission', tampered: { scope: undefined }, said: 'Choose at least one permission' },
    { name: 'no resource', tampered: { resource: undefined }, said: 'Choose at least one resource' },
    { name: 'a longer time', tampered: { seconds: '601' }, said: 'isn’t longer than the agent asked for' },
    { name: 'no time', tampered: { seconds: '0' }, said: 'Choose a time' },
    { name: 'a time that is none', tampered: { seconds: '1e2' }, said: 'Choose a time' },
    { name: 'another permission alone', tampered: { scope: 'docs:write' }, said: 'Choose at least one permission' },
    { name: 'a resource that is not there', tampered: { resource: '7' }, said: 'Choose at least one resource' },
  ];
  test.each(refused)('is not approved for $name', async ({ tampered, said }) => {
    const id = await approvals.ask({ resources: ['db:prices'], duration: 600 });
    const page = await dora.browser.submit(await approvals.open(dora, id), {}, { button: 'approve', tampered });
    expect([page.status, task(id).status]).toEqual([422, 'pending']);
    expect(page.text).toContain(said);
  });

  test('is denied, with a reason or without', async () => {
    for (const reason of ['Not <b>today</b>', '']) {
      const id = await approvals.ask();
      const done = await dora.browser.submit(await approvals.open(dora, id), { reason }, { button: 'deny' });
      expect(done.heading).toBe('This request is denied');
      expect(done.text).toContain('You denied this request.');
      expect(done.text.includes('Not <b>today</b>')).toBe(reason !== '');
      expect(task(id)).toMatchObject({ status: 'denied', decided: { by: dora.person.id } });
      expect(task(id).decided?.reason ?? '').toBe(reason);
      expect(approvals.scene.lent(id)).toEqual([]);
    }
  });
});

describe('a page that is no longer true', () => {
  test('shows what the agent has asked for since, marks it, and lends nothing', async () => {
    const id = await approvals.ask();
    const before = await approvals.open(dora, id);
    await justify(id, 'docs:write', 'And the list, too.');
    const changed = await dora.browser.submit(before, {}, { button: 'approve' });
    expect([changed.status, changed.heading]).toEqual([409, 'This request has changed']);
    expect(changed.text).toContain('May docs:write New');
    expect(changed.text).not.toContain('May db:write New');
    expect(changed.text).toContain('And the list, too.');
    expect(task(id).status).toBe('pending');
    // what is new is not chosen by itself
    const boxes = changed.form(['seconds']).fields.filter(({ name }) => name === 'scope');
    expect(boxes.map(({ value, isChecked }) => [value, isChecked])).toEqual([
      ['db:write', true],
      ['docs:write', false],
    ]);
    const done = await dora.browser.submit(changed, {}, { button: 'approve' });
    expect(done.heading).toBe('This request is approved');
    expect(task(id).grant?.scopes).toEqual(['db:write']);
  });

  test('is not denied by either: whoever denies has seen what', async () => {
    const id = await approvals.ask();
    const before = await approvals.open(dora, id);
    await justify(id, 'db:write', 'Because.');
    const changed = await dora.browser.submit(before, { reason: 'No' }, { button: 'deny' });
    expect([changed.status, changed.heading, task(id).status]).toEqual([409, 'This request has changed', 'pending']);
    expect(changed.form(['reason']).fields.find(({ name }) => name === 'reason')?.value).toBe('No');
    expect((await dora.browser.submit(changed, {}, { button: 'deny' })).heading).toBe('This request is denied');
  });

  test('is expired', async () => {
    const id = await approvals.ask();
    const before = await approvals.open(dora, id);
    approvals.pass(601);
    const late = await dora.browser.submit(before, {}, { button: 'approve' });
    expect([late.status, late.heading]).toEqual([409, 'This request has expired']);
    expect(approvals.scene.lent(id)).toEqual([]);
    const page = await approvals.open(dora, id);
    expect([page.status, page.heading]).toEqual([200, 'This request has expired']);
    expect(page.forms.some(({ action }) => action === approvals.pathOf(id))).toBe(false);
  });

  test('was decided by somebody else, who is named', async () => {
    const emil = await approvals.approver();
    const id = await approvals.ask();
    const before = await approvals.open(dora, id);
    await emil.browser.submit(await approvals.open(emil, id), {}, { button: 'deny' });
    const late = await dora.browser.submit(before, {}, { button: 'approve' });
    expect([late.status, late.heading]).toEqual([409, 'This request is denied']);
    expect(late.text).toContain('Your answer changed nothing.');
    expect(late.text).toContain(`${emil.person.email} denied it`);
    expect((await approvals.open(dora, id)).text).not.toContain('You have');
  });

  test('of two who decide at once one is right, and the other is told', async () => {
    const emil = await approvals.approver();
    for (let round = 0; round < 5; round++) {
      const id = await approvals.ask();
      const [one, other] = [await approvals.open(dora, id), await approvals.open(emil, id)];
      const [approved, denied] = await Promise.all([
        dora.browser.submit(one, {}, { button: 'approve' }),
        emil.browser.submit(other, {}, { button: 'deny' }),
      ]);
      expect([approved.status, denied.status].toSorted()).toEqual([200, 409]);
      const { status } = task(id);
      expect(status).toBe(approved.status === 200 ? 'approved' : 'denied');
      expect([approved.heading, denied.heading]).toEqual(Array(2).fill(`This request is ${status}`));
    }
  });

  test('is of an agent that was switched off', async () => {
    const id = await approvals.ask();
    const before = await approvals.open(dora, id);
    await approvals.deactivate();
    const late = await dora.browser.submit(before, {}, { button: 'approve' });
    expect(late.status).toBe(409);
    expect((await approvals.open(dora, id)).forms.some(({ action }) => action === approvals.pathOf(id))).toBe(false);
    expect(approvals.scene.lent(id)).toEqual([]);
  });
});

test('the same person in two tabs decides once', async () => {
  const id = await approvals.ask();
  const second = await again(approvals.site, dora.person);
  const page = await approvals.open(second, id);
  await dora.browser.submit(await approvals.open(dora, id), {}, { button: 'approve' });
  const late = await second.browser.submit(page, {}, { button: 'deny' });
  expect([late.status, late.heading, task(id).status]).toEqual([409, 'This request is approved', 'approved']);
});

test('whoever has lent it ends it on the page', async () => {
  const id = await approvals.ask();
  const done = await dora.browser.submit(await approvals.open(dora, id), {}, { button: 'approve' });
  const ended = await dora.browser.submit(done, {}, { button: 'End now' });
  expect(ended.text).toContain('Ended. The agent can no longer');
  expect(approvals.scene.lent(id)).toEqual([]);
  expect((await approvals.open(dora, id)).text).toContain('Ended early, on');
});
