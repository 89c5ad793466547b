import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addRequest } from '../../../src/directory/elevations/index.ts';
import { BrowserVisitor } from '../../browser/browser-world.ts';
import { chromiumMissing, type Look, looks, looksOf, openChromium } from '../../browser/chromium.ts';
import type { Person } from '../../protocols/oauth/signing-in.ts';
import { appOf } from '../mfa/mfa-world.ts';
import { facts } from '../sessions/in-process-service.ts';
import { SignInWorld } from '../signin/world.ts';
import { ApprovalScene } from './approval-scene.ts';

let world: SignInWorld;
let chromium: Browser;
let approvals: ApprovalScene;

beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));
beforeAll(async () => {
  if (chromiumMissing !== undefined) return;
  // whatever a page names is a path, so that a browser finds it at the port of this run
  world = await SignInWorld.start({ RELATA_BASE_URL: 'http://127.0.0.1' });
  chromium = await openChromium();
});
beforeEach(async () => {
  if (chromiumMissing === undefined) approvals = await ApprovalScene.in(world);
});
afterAll(async () => {
  await chromium?.close();
  await world?.stop();
});

const task = (id: string) => approvals.scene.task(id);

/** Somebody who can lend everything, in front of a browser, at a page that asks them to sign in. */
async function someone(look: Look = 'light'): Promise<{ person: Person; visitor: BrowserVisitor }> {
  const person = await approvals.site.person({ name: 'Dora Lange' });
  await approvals.scene.grant(person, 'jit.approve', 'docs:read', 'docs:write', 'db:write');
  const context = await chromium.newContext({ ...looks[look], baseURL: world.provider.service.url, locale: 'en-US' });
  context.setDefaultTimeout(45_000);
  return { person, visitor: new BrowserVisitor(context, await context.newPage(), look) };
}

/** Signed in, and at the request. */
async function at(id: string, look: Look = 'light') {
  const { person, visitor } = await someone(look);
  await visitor.page.goto(approvals.pathOf(id));
  await visitor.signIn(person);
  await visitor.sees('An agent is asking for permissions');
  return { person, visitor };
}

function add(id: string, scope: string, justification: string): Promise<unknown> {
  const { scene, agentId } = approvals;
  return addRequest(scene.elevations, scene.caller(agentId), facts, { task_id: id, scope, justification });
}

describe('a person in a browser', { timeout: 180_000 }, () => {
  test('narrows a request, shortens it and approves it', async () => {
    const resources = ['db:prices', 'db:stock'];
    const id = await approvals.ask({ required_scopes: ['docs:read', 'db:write'], resources, duration: 600 });
    const { visitor, person } = await at(id);
    const { page } = visitor;
    await page.getByLabel('May docs:read').uncheck();
    await page.getByLabel('db:stock').uncheck();
    await page.getByLabel('For how long').selectOption({ label: '1 minute' });
    await visitor.press('Approve');
    await visitor.sees('This request is approved');
    const until = approvals.scene.elevations.clock.now() + 60_000;
    expect(task(id).grant).toEqual({ lenderId: person.id, scopes: ['db:write'], resources: ['db:prices'], until });
    expect(approvals.scene.counts(id, 'db:write')).toBe(true);
    approvals.pass(60);
    expect(approvals.scene.counts(id, 'db:write')).toBe(false);
    await visitor.close();
  });

  test('denies a request, without a word', async () => {
    const id = await approvals.ask();
    const { visitor } = await at(id);
    await visitor.press('Deny');
    await visitor.sees('This request is denied');
    expect([task(id).status, approvals.scene.lent(id)]).toEqual(['denied', []]);
    await visitor.close();
  });

  test('is shown what has changed while the page was open', async () => {
    const id = await approvals.ask();
    const { visitor } = await at(id);
    await add(id, 'docs:write', 'And the list.');
    await visitor.press('Approve');
    await visitor.sees('This request has changed');
    expect(await visitor.page.getByLabel('May docs:write').isChecked()).toBe(false);
    expect(visitor.complaints.splice(0)).toHaveLength(1); // the status of the answer
    await visitor.inspect('approval-changed');
    expect(task(id).status).toBe('pending');
    await visitor.press('Approve');
    await visitor.sees('This request is approved');
    expect(task(id).grant?.scopes).toEqual(['db:write']);
    await visitor.close();
  });

  test('comes too late', async () => {
    const id = await approvals.ask();
    const { visitor } = await at(id);
    approvals.pass(600);
    await visitor.press('Approve');
    await visitor.sees('This request has expired');
    expect(visitor.complaints.splice(0)).toHaveLength(1);
    await visitor.inspect('approval-expired');
    expect(approvals.scene.lent(id)).toEqual([]);
    await visitor.close();
  });

  test('and another one decide at once: one outcome, which both are told', async () => {
    const id = await approvals.ask();
    const [one, other] = [(await at(id)).visitor, (await at(id)).visitor];
    await Promise.all([one.press('Approve'), other.press('Deny')]);
    const { status } = task(id);
    for (const visitor of [one, other]) {
      await visitor.sees(`This request is ${status}`);
      await visitor.close();
    }
    expect(approvals.scene.lent(id)).toEqual(status === 'approved' ? ['permission:db:write'] : []);
  });

  test('proves a second factor where the organization wants one', async () => {
    await approvals.settings({ requireSecondFactor: true });
    const id = await approvals.ask();
    const { visitor, person } = await at(id);
    const { page } = visitor;
    await visitor.inspect('approval-prove');
    await visitor.press('Continue with a second step');
    await visitor.signIn(person);
    await page.getByRole('link', { name: 'Authenticator app' }).click();
    const link = page.getByRole('link', { name: 'Open in an app on this device' });
    const app = appOf(String(await link.getAttribute('href')));
    await visitor.fill({ 'one-time-code': app.generate({ timestamp: approvals.scene.elevations.clock.now() }) });
    await visitor.press('Add');
    await page.getByRole('link', { name: /saved my codes/ }).click();
    await visitor.sees('An agent is asking for permissions');
    await visitor.press('Approve');
    await visitor.sees('This request is approved');
    expect(task(id).status).toBe('approved');
    await visitor.close();
  });
});

const description = [
  'The prices of Monday were imported twice. I want to remove the second copy, row by row,',
  'and write down what I removed.',
  '',
  '  1. read the list',
  '  2. remove the rows <b>that are there twice</b>',
  '  3. tell \u202Eydobyreve\u202C about it, at https://example.com/report',
].join('\n');

describe.each(looksOf('dark'))('requests and agents, %s', (look) => {
  test('can be read, fit and break no rule of accessibility', async () => {
    const resources = ['db:prices', 'db:stock', `docs:${'a-very-long-name-of-a-document-'.repeat(4)}`];
    const scopes = ['docs:read', 'db:write'];
    const id = await approvals.ask({
      task_description: description,
      required_scopes: scopes,
      resources,
      duration: 900,
    });
    await add(id, 'db:write', 'Without it I can only tell you which rows there are.');
    await approvals.ask({ task_description: `W${'\u0301'.repeat(300)}${'W'.repeat(600)}` });
    const { visitor } = await at(id, look);
    const { page } = visitor;
    await visitor.inspect('approval');
    await page.goto(`${approvals.site.base}/account/approvals`);
    await visitor.inspect('approvals');
    await page.goto(approvals.pathOf(id));
    for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
    await visitor.press('Approve');
    expect(visitor.complaints.splice(0)).toHaveLength(1); // the status of the answer
    await visitor.inspect('approval-refused');
    for (const box of await page.getByRole('checkbox').all()) await box.check();
    await visitor.press('Approve');
    await visitor.sees('This request is approved');
    await visitor.inspect('approval-approved');
    await page.goto(`${approvals.site.base}/account/agents/add`);
    await visitor.inspect('agents-add');
    await page.getByLabel('Agent', { exact: true }).fill('Night shift');
    await page.getByLabel('May docs:read').check();
    await page.getByLabel('Only for these resources').fill('docs:list\ndocs:plan');
    await visitor.press('Let it act for me');
    await visitor.sees('Agents');
    await visitor.inspect('agents');
    const denied = await approvals.ask({ task_description: 'Something else' });
    await page.goto(approvals.pathOf(denied));
    await page.getByText('Add a reason').click();
    await page.getByLabel('Reason').fill('Not on a Monday.');
    await visitor.press('Deny');
    await visitor.sees('This request is denied');
    await visitor.inspect('approval-denied');
    await visitor.close();
  }, 180_000);
});
