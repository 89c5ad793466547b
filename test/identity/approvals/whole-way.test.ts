import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgencyScene, tokenIn } from '../../access/agency/agency-scene.ts';
import { BrowserVisitor } from '../../browser/browser-world.ts';
import { chromiumMissing, looks, openChromium } from '../../browser/chromium.ts';
import type { Person } from '../../protocols/oauth/signing-in.ts';
import type { Answer } from '../../server/running-service.ts';
import { type SignInSite, SignInWorld } from '../signin/world.ts';

let world: SignInWorld;
let chromium: Browser;
let site: SignInSite;
let scene: AgencyScene;
let dora: Person;
let visitor: BrowserVisitor;
let agent: { readonly id: string; readonly key: string };

beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));
beforeAll(async () => {
  if (chromiumMissing !== undefined) return;
  world = await SignInWorld.start({ RELATA_BASE_URL: 'http://127.0.0.1' });
  chromium = await openChromium();
});
beforeEach(async () => {
  if (chromiumMissing !== undefined) return;
  site = await world.organization();
  scene = await AgencyScene.at(site.provider);
  dora = await site.person({ name: 'Dora Lange' });
  for (const slug of ['jit.approve', 'db:read', 'db:write']) await scene.grant(slug, `user:${dora.id}`);
  await scene.permission('docs:read');
  agent = await newAgent('Price keeper');
  const context = await chromium.newContext({ ...looks.light, baseURL: world.provider.service.url, locale: 'en-US' });
  context.setDefaultTimeout(45_000);
  visitor = new BrowserVisitor(context, await context.newPage(), 'light');
});
afterAll(async () => {
  await chromium?.close();
  await world?.stop();
});

/** Made by an administrator, with `docs:read` alone, and owned by Dora. */
async function newAgent(name: string) {
  const body = { name, type: 'ai_assistant', permissions: ['docs:read'], ownerId: dora.id };
  const made = await site.provider.organization.tenant('POST', '/admin/agents', { body });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return { id: made.text('data.id'), key: made.text('data.apiKey') };
}

const ask = async (body: object = {}): Promise<Answer> => {
  const asked = { task_description: 'Correct the prices', required_scopes: ['db:write'], duration: 600, ...body };
  const answer = await scene.call(agent.key, 'POST', '/jit/task', asked);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer;
};
const statusOf = async (id: string) => (await scene.call(agent.key, 'GET', `/jit/status/${id}`)).body;
const exchange = (id: string, by = agent) => scene.exchange(by, { jit_task_id: id });
const refusal = async (id: string, by = agent) => {
  const { status, body } = await exchange(id, by);
  return [status, (body as { error?: string }).error];
};

/** Opens the address that the agent was told, and signs in where that is asked for. */
async function look(task: Answer, isIn = false): Promise<void> {
  await visitor.page.goto(new URL(task.text('approval_url')).pathname);
  if (!isIn) await visitor.signIn(dora);
  await visitor.sees('An agent is asking for permissions');
}

describe('an agent that may only read', { timeout: 180_000 }, () => {
  test('asks, is lent less than it asked for, works with it, and has it no longer than was said', async () => {
    expect(await scene.check(agent.key, 'db:write')).toBe(false);
    const task = await ask({ required_scopes: ['db:read', 'db:write'] });
    const id = task.text('task_id');
    expect(await refusal(id)).toEqual([400, 'authorization_pending']);
    await look(task);
    expect(await visitor.page.locator('main').textContent()).toContain('Price keeper, an AI assistant owned by Dora');
    await visitor.page.getByLabel('db:read').uncheck();
    await visitor.page.getByLabel('For how long').selectOption({ label: '1 minute' });
    await visitor.press('Approve');
    await visitor.sees('This request is approved');
    expect(await statusOf(id)).toMatchObject({
      status: 'approved',
      approved_scopes: ['db:write'],
      approved_by: dora.id,
    });
    const answer = await exchange(id);
    const token = tokenIn(answer);
    expect(answer.body).toMatchObject({ scope: 'db:write' });
    expect(answer.body).not.toHaveProperty('refresh_token');
    expect(await scene.check(token, 'db:write')).toBe(true);
    expect(await scene.check(token, 'docs:read')).toBe(true);
    expect(await scene.check(token, 'db:read')).toBe(false);
    expect(await scene.check(agent.key, 'db:write')).toBe(false);
    world.provider.service.clock.advance(60_000);
    expect((await scene.call(token, 'POST', '/authz/check', { permission: 'db:write' })).status).toBe(401);
    expect(await refusal(id)).toEqual([400, expect.any(String)]);
    await visitor.close();
  });

  test('gets nothing once it is denied, and is told why', async () => {
    const task = await ask();
    const id = task.text('task_id');
    await look(task);
    await visitor.page.getByText('Add a reason').click();
    await visitor.page.getByLabel('Reason').fill('Not on a Monday.');
    await visitor.press('Deny');
    await visitor.sees('This request is denied');
    expect(await statusOf(id)).toMatchObject({ status: 'denied', reason: 'Not on a Monday.' });
    expect(await refusal(id)).toEqual([400, 'access_denied']);
    await visitor.close();
  });

  test('gets nothing where nobody decides in time', async () => {
    const id = (await ask()).text('task_id');
    world.provider.service.clock.advance(600_000);
    expect(await statusOf(id)).toMatchObject({ status: 'expired' });
    expect(await refusal(id)).toEqual([400, 'expired_token']);
    await visitor.close();
  });

  test('loses it with the press of a button, at the next request', async () => {
    const task = await ask();
    await look(task);
    await visitor.press('Approve');
    await visitor.sees('This request is approved');
    const token = tokenIn(await exchange(task.text('task_id')));
    expect(await scene.check(token, 'db:write')).toBe(true);
    await visitor.page.goto(`${site.base}/account/agents`);
    await visitor.press(/^End now/);
    await visitor.sees('Agents');
    expect((await scene.call(token, 'POST', '/authz/check', { permission: 'db:write' })).status).toBe(401);
    expect(await refusal(task.text('task_id'))).toEqual([400, expect.any(String)]);
    await visitor.close();
  });

  test('loses it when whoever approved it holds it no longer', async () => {
    const task = await ask();
    await look(task);
    await visitor.press('Approve');
    await visitor.sees('This request is approved');
    const token = tokenIn(await exchange(task.text('task_id')));
    await scene.grant('db:write', `user:${dora.id}`, 'deletes');
    expect((await scene.call(token, 'POST', '/authz/check', { permission: 'db:write' })).status).toBe(401);
    await visitor.close();
  });

  test('gets nothing for the task of another agent, of another organization, or of none', async () => {
    const task = await ask();
    await look(task);
    await visitor.press('Approve');
    await visitor.sees('This request is approved');
    const id = task.text('task_id');
    const other = await newAgent('Another');
    const forged = await refusal('00000000-0000-7000-8000-000000000000');
    expect(forged).toEqual([400, 'invalid_grant']);
    expect(await refusal(id, other)).toEqual(forged);
    const foreign = await AgencyScene.at((await world.organization()).provider);
    const stranger = await foreign.agent('docs:read');
    const there = await foreign.exchange(stranger, { jit_task_id: id });
    expect([there.status, there.at('error')]).toEqual(forged);
    await visitor.close();
  });
});

test('a delegation is made on a page, used by the agent, and withdrawn', { timeout: 180_000 }, async () => {
  await scene.grant('db:read', `agent:${agent.id}`);
  const { page } = visitor;
  await page.goto(`${site.base}/account/agents/add`);
  await visitor.signIn(dora);
  await visitor.sees('Let an agent act for you');
  await page.getByLabel('Agent', { exact: true }).fill('price keeper');
  await page.getByLabel('db:read').check();
  await page.getByLabel('db:write').check();
  await visitor.press('Let it act for me');
  await visitor.sees('Agents');
  const listed = await page.locator('main').textContent();
  const [, id = ''] = /which the agent needs to get its tokens: ([0-9a-f-]{36})/.exec(listed ?? '') ?? [];
  const token = tokenIn(
    await scene.exchange(agent, {
      subject_token: id,
      subject_token_type: 'urn:relata:params:oauth:token-type:delegation',
    }),
  );
  // the user may both, the agent one of them, and the ceiling does not give it the other
  expect([await scene.check(token, 'db:read'), await scene.check(token, 'db:write')]).toEqual([true, false]);
  // what the agent asks for in the user's name, the user decides
  const asked = { task_description: 'Correct the prices', required_scopes: ['db:write'] };
  const task = await scene.call(token, 'POST', '/jit/task', asked);
  expect(task.status).toBe(201);
  await look(task, true);
  await page.goto(`${site.base}/account/agents`);
  await page.locator('summary', { hasText: 'Withdraw' }).click();
  await visitor.press(/^Withdraw now/);
  await visitor.sees('Agents');
  expect((await scene.call(token, 'POST', '/authz/check', { permission: 'db:read' })).status).toBe(401);
  await visitor.close();
});
