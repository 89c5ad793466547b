import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ApprovalScene } from '../../identity/approvals/approval-scene.ts';
import type { NewUser } from '../../identity/sessions/in-process-service.ts';
import { SignInWorld } from '../../identity/signin/world.ts';
import { mailBodies, mailHead } from '../../platform/smtp-inbox.ts';

let world: SignInWorld;
let approvals: ApprovalScene;

beforeAll(async () => {
  world = await SignInWorld.start();
});
beforeEach(async () => {
  approvals = await ApprovalScene.in(world);
});
afterAll(() => world.stop());

/** Mails about a task, in the order in which they came. */
const mailsOf = (id: string) => world.inbox.mails.filter((mail) => mailBodies(mail).includes(id));
/** To whom, once as many have come. */
async function told(id: string, count: number): Promise<string[]> {
  await expect.poll(() => mailsOf(id).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(count);
  return mailsOf(id)
    .flatMap(({ to }) => to)
    .toSorted();
}
const addresses = (...users: readonly NewUser[]) => users.map(({ email }) => email).toSorted();

async function rule(body: Readonly<Record<string, unknown>>): Promise<void> {
  const given = { name: 'At night', scopes: ['db:write'], ...body };
  const made = await approvals.scene.org.tenant('POST', '/admin/elevations/rules', { body: given });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
}

describe('A task that waits', () => {
  test('is told to whoever can decide it, each in a mail of their own, and to nobody else', async () => {
    const { scene } = approvals;
    const [one, other] = [await scene.approver(), await scene.approver()];
    await scene.person('jit.approve', 'docs:read');
    await scene.person('docs:read', 'docs:write', 'db:write');
    const blocked = await scene.approver();
    expect((await scene.org.org('POST', `/admin/users/${blocked.id}/block`)).status).toBe(200);
    await (await ApprovalScene.in(world)).scene.approver();
    const id = await approvals.ask({ required_scopes: ['db:write', 'docs:read'], duration: 600 });
    expect(await told(id, 2)).toEqual(addresses(one, other));
    for (const mail of mailsOf(id)) {
      expect(mail.to).toHaveLength(1);
      expect(mailHead(mail).get('subject')).toBe('Night shift asks for permissions');
      const text = mailBodies(mail).replaceAll(/\s+/g, ' ');
      expect(text).toContain('The agent Night shift asks for db:write, docs:read for 600 seconds.');
      expect(text).toContain('It says: “Correct the prices”');
    }
    // nothing is to come: what is asked for later is told later
    const next = await approvals.ask();
    expect(await told(next, 2)).toEqual(addresses(one, other));
    expect(mailsOf(id)).toHaveLength(2);
  });

  test('is decided by the link in the mail', async () => {
    const dora = await approvals.approver();
    const id = await approvals.ask();
    await told(id, 1);
    const link = await approvals.site.mailedLink(dora.person.email);
    expect(new URL(link).pathname).toBe(approvals.pathOf(id));
    const page = await dora.browser.open(link);
    await dora.browser.submit(page, {}, { button: 'approve' });
    expect(approvals.scene.task(id)).toMatchObject({ status: 'approved', grant: { lenderId: dora.person.id } });
    expect(mailsOf(id)).toHaveLength(1);
  });

  test('is told to the user who delegated to the agent alone', async () => {
    await approvals.scene.approver();
    const ada = await approvals.person('db:write');
    const id = await approvals.askFor(ada);
    expect(await told(id, 1)).toEqual([ada.person.email]);
    const next = await approvals.askFor(ada);
    expect(await told(next, 1)).toEqual([ada.person.email]);
    expect(mailsOf(id)).toHaveLength(1);
  });

  test('is told to no more than 20', async () => {
    for (let count = 0; count < 22; count++) await approvals.scene.person('jit.approve', 'db:write');
    const id = await approvals.ask();
    expect(await told(id, 20)).toHaveLength(20);
    const next = await approvals.ask();
    expect(await told(next, 20)).toHaveLength(20);
    expect(mailsOf(id)).toHaveLength(20);
  });

  test('is told to nobody where the organization wants no mail', async () => {
    const approver = await approvals.scene.approver();
    await approvals.settings({ notifyByMail: false });
    const silent = await approvals.ask();
    await approvals.settings({ notifyByMail: true });
    const id = await approvals.ask();
    expect(await told(id, 1)).toEqual(addresses(approver));
    expect(mailsOf(silent)).toEqual([]);
  });
});

describe('What a rule decides', () => {
  test('is told to whoever lends, and asked of nobody', async () => {
    const { scene } = approvals;
    const [lender] = [await scene.approver(), await scene.approver()];
    await rule({ effect: 'approve', maxSeconds: 900, lenderId: lender.id });
    const id = await approvals.ask({ duration: 900 });
    expect(scene.task(id).status).toBe('approved');
    expect(await told(id, 1)).toEqual(addresses(lender));
    const [mail] = mailsOf(id);
    expect(mail && mailHead(mail).get('subject')).toBe('Night shift was lent permissions of yours');
    expect(mail && mailBodies(mail).replaceAll(/\s+/g, ' ')).toContain('has db:write for 900 seconds.');
    const next = await approvals.ask({ duration: 900 });
    expect(await told(next, 1)).toEqual(addresses(lender));
    expect(mailsOf(id)).toHaveLength(1);
  });

  test('is told to nobody where it is denied', async () => {
    const approver = await approvals.scene.approver();
    await rule({ effect: 'deny' });
    const denied = await approvals.ask();
    expect(approvals.scene.task(denied).status).toBe('denied');
    const id = await approvals.ask({ required_scopes: ['docs:read'] });
    expect(await told(id, 1)).toEqual(addresses(approver));
    expect(mailsOf(denied)).toEqual([]);
  });
});
