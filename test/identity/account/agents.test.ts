import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { delegationRecords } from '../../../src/directory/records/index.ts';
import { signIn } from '../../protocols/oauth/signing-in.ts';
import { ApprovalScene } from '../approvals/approval-scene.ts';
import { SignInWorld } from '../signin/world.ts';
import { entriesOf, type Visitor } from './account-world.ts';

const DAY_MS = 86_400_000;

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

const now = () => approvals.scene.elevations.clock.now();

/** What somebody has delegated, on record. */
function delegationsOf({ person }: Visitor) {
  const { store } = approvals.scene;
  return approvals.site.provider.service.read(() =>
    delegationRecords
      .index(store)
      .ids('user', person.id, { limit: 10 })
      .map((id) => delegationRecords.get(store, id)?.document),
  );
}

async function approved(who: Visitor): Promise<string> {
  const id = await approvals.ask();
  await who.browser.submit(await approvals.open(who, id), {}, { button: 'approve' });
  return id;
}

describe('requests', () => {
  test('that wait are counted on every page, and listed for those who can decide them', async () => {
    expect((await dora.open('/approvals')).text).toContain('No requests are waiting for you.');
    expect((await dora.open()).link(/^Agents/).text).toBe('Agents');
    const first = await approvals.ask({ task_description: 'The first' });
    await approvals.ask({ task_description: 'The second', required_scopes: ['docs:read', 'db:write'] });
    const emil = await approvals.person('docs:read');
    expect((await dora.open()).link(/^Agents/).text).toBe('Agents 2 requests waiting');
    expect((await emil.open()).link(/^Agents/).text).toBe('Agents');
    const page = await dora.open('/approvals');
    expect(page.text.indexOf('The second')).toBeLessThan(page.text.indexOf('The first'));
    expect(page.text).toContain('Wants to use 2 of your permissions for 5 minutes');
    expect(page.text).toContain('10 minutes left to decide');
    expect(page.links.map(({ href }) => href.split('?')[0])).toContain(approvals.pathOf(first));
    expect((await emil.open('/approvals')).text).toContain('No requests are waiting for you.');
    approvals.pass(600);
    expect((await dora.open('/approvals')).text).toContain('No requests are waiting for you.');
  });

  test('of a delegated agent wait for its user alone', async () => {
    const emil = await approvals.person('db:write');
    await approvals.askFor(emil);
    expect((await emil.open()).link(/^Agents/).text).toBe('Agents 1 request waiting');
    expect((await dora.open()).link(/^Agents/).text).toBe('Agents');
  });

  test('of which there are many are shown as far as there is room', async () => {
    for (let at = 0; at < 3; at++) {
      const other = await approvals.scene.agent(`agent ${at}`);
      for (let task = 0; task < 20; task++) await approvals.scene.ask(approvals.scene.caller(other));
    }
    const page = await dora.open('/approvals');
    expect(page.link(/^Requests/).text).toBe('Requests 20+ requests waiting');
    expect(page.links.filter(({ text }) => text.startsWith('Review'))).toHaveLength(50);
    expect(page.text).toContain('There are more');
  });
});

describe('what was lent', () => {
  test('is shown while it lasts, and ended at once', async () => {
    const [first, second] = [await approved(dora), await approved(dora)];
    const page = await dora.open('/agents');
    expect(page.text).toContain('Night shift');
    expect(page.links.filter(({ text }) => text.startsWith('What it was for'))).toHaveLength(2);
    const form = page.forms.find(({ fields }) => fields.some(({ name, value }) => name === 'task' && value === first));
    const csrf = form?.fields.find(({ name }) => name === 'csrf')?.value ?? '';
    const done = await dora.browser.post(`${approvals.site.base}/account/agents/end`, { csrf, task: first });
    expect(done.text).toContain('Ended. The agent can no longer use these permissions.');
    expect([approvals.scene.lent(first), approvals.scene.lent(second)]).toEqual([[], ['permission:db:write']]);
    expect(await entriesOf(approvals.site, 'elevation.revoke')).toMatchObject([
      { actorId: dora.person.id, targetId: first },
    ]);
    const again = await dora.browser.post(`${approvals.site.base}/account/agents/end`, { csrf, task: first });
    expect([again.status, again.heading]).toEqual([422, 'Agents']);
    approvals.pass(300);
    expect((await dora.open('/agents')).text).toContain('You are not lending any permissions.');
  });

  test('by others is not shown and not ended, not even by administrators', async () => {
    const emil = await approvals.approver();
    const admin = await approvals.person('settings.manage');
    const id = await approved(dora);
    for (const other of [emil, admin]) {
      expect((await other.open('/agents')).text).toContain('You are not lending any permissions.');
      const csrf = approvals.site.csrf(other.browser, `${approvals.site.base}/account/agents/end`);
      for (const task of [id, 'nothing', '']) {
        const answer = await other.browser.post(`${approvals.site.base}/account/agents/end`, { csrf, task });
        expect(answer.status).toBe(404);
      }
    }
    expect(approvals.scene.lent(id)).toEqual(['permission:db:write']);
  });
});

describe('delegations', () => {
  const add = async (
    who: Visitor,
    values: Readonly<Record<string, string>>,
    scope: string | undefined = 'docs:read',
  ) => {
    const page = await who.open('/agents/add');
    return who.browser.submit(page, values, { button: 'Let it act for me', tampered: { scope } });
  };

  test('are made by name, shown with what they reach, and withdrawn', async () => {
    const made = await add(dora, { agent: ' night SHIFT ', only: 'docs:list\ndocs:plan', days: '7' });
    expect([made.url.pathname, made.heading]).toEqual([`${approvals.site.base}/account/agents`, 'Agents']);
    for (const part of ['The agent can now act for you.', 'Night shift', 'docs:read', 'docs:list', 'docs:plan']) {
      expect(made.text).toContain(part);
    }
    expect(delegationsOf(dora)).toMatchObject([
      {
        agentId: approvals.agentId,
        scopes: ['docs:read'],
        resources: ['docs:list', 'docs:plan'],
        expiresAt: now() + 7 * DAY_MS,
      },
    ]);
    expect(await entriesOf(approvals.site, 'delegation.create')).toMatchObject([{ actorId: dora.person.id }]);
    const gone = await dora.browser.submit(made, {}, { button: 'Withdraw now Night shift' });
    expect(gone.text).toContain('The agent can no longer act for you.');
    expect(delegationsOf(dora)).toEqual([]);
  });

  test('are made by id, for all resources and thirty days', async () => {
    await add(dora, { agent: approvals.agentId });
    expect(delegationsOf(dora)).toMatchObject([{ agentId: approvals.agentId, expiresAt: now() + 30 * DAY_MS }]);
    expect(delegationsOf(dora)[0]?.resources).toBeUndefined();
  });

  test('offer the permissions that one holds, and no others', async () => {
    const emil = await approvals.person('docs:read', 'users.read');
    const boxes = (await emil.open('/agents/add')).form(['agent']).fields.filter(({ name }) => name === 'scope');
    expect(boxes.map(({ value, isChecked }) => [value, isChecked])).toEqual([
      ['docs:read', false],
      ['users.read', false],
    ]);
  });

  const refused = [
    { name: 'no agent', values: { agent: '' }, said: 'There is no active agent' },
    { name: 'an unknown agent', values: { agent: 'Nobody' }, said: 'There is no active agent' },
    { name: 'no permission', values: {}, scope: '', said: 'Choose at least one permission.' },
    { name: 'an unknown permission', values: {}, scope: 'no:such', said: 'There is no permission no:such.' },
    { name: 'no object', values: { only: 'docs:plan\neverything' }, said: '“everything” is not a resource.' },
    { name: 'every object of a type', values: { only: 'docs:*' }, said: '“docs:*” is not a resource.' },
  ];
  test.each(refused)('are not made with $name', async ({ values, scope, said }) => {
    const page = await add(dora, { agent: 'Night shift', ...values }, scope ?? 'docs:read');
    expect([page.status, delegationsOf(dora)]).toEqual([422, []]);
    expect(page.text).toContain(said);
  });

  test('are not made with a name that two agents have, nor for one that is switched off', async () => {
    await approvals.scene.agent('night shift');
    const several = await add(dora, { agent: 'Night shift' });
    expect([several.status, several.text.includes('Several agents have this name')]).toEqual([422, true]);
    await approvals.deactivate();
    expect((await add(dora, { agent: approvals.agentId })).status).toBe(422);
    expect(delegationsOf(dora)).toEqual([]);
  });

  test('want a fresh sign-in, and a longer time than there is is refused', async () => {
    expect((await add(dora, { agent: 'Night shift' }, 'docs:read')).status).toBe(200);
    const page = await dora.open('/agents/add');
    const tampered = { scope: 'docs:read', days: '3650' };
    const long = await dora.browser.submit(page, { agent: 'Night shift' }, { button: 'Let it act for me', tampered });
    expect(long.status).toBe(400);
    approvals.pass(601);
    const late = await dora.browser.submit(page, { agent: 'Night shift' }, { tampered: { scope: 'docs:read' } });
    expect(late.url.pathname).toBe(`${approvals.site.base}/signin`);
    expect(delegationsOf(dora)).toHaveLength(1);
    const back = await signIn(dora.browser, late, dora.person);
    expect(back.url.pathname).toBe(`${approvals.site.base}/account/agents/add`);
    // ending something never waits for that
    approvals.pass(601);
    await dora.browser.submit(await dora.open('/agents'), {}, { button: 'Withdraw now Night shift' });
    expect(delegationsOf(dora)).toEqual([]);
  });

  test('of others are not shown, and not withdrawn', async () => {
    await add(dora, { agent: 'Night shift' });
    const emil = await approvals.approver();
    expect((await emil.open('/agents')).text).toContain('No agent acts for you.');
    const path = `${approvals.site.base}/account/agents/withdraw`;
    const { store } = approvals.scene;
    const ids = approvals.site.provider.service.read(() =>
      delegationRecords.index(store).ids('user', dora.person.id, { limit: 10 }),
    );
    const csrf = approvals.site.csrf(emil.browser, path);
    for (const delegation of [...ids, 'nothing', '']) {
      expect((await emil.browser.post(path, { csrf, delegation })).status).toBe(404);
    }
    expect(delegationsOf(dora)).toHaveLength(1);
  });

  test('end by themselves', async () => {
    await add(dora, { agent: 'Night shift', days: '1' });
    approvals.pass(86_400);
    await signIn(dora.browser, await dora.open('/agents'), dora.person);
    expect((await dora.open('/agents')).text).toContain('No agent acts for you.');
  });
});
