import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ApprovalScene } from '../../identity/approvals/approval-scene.ts';
import type { NewUser } from '../../identity/sessions/in-process-service.ts';
import { SignInWorld } from '../../identity/signin/world.ts';
import { mailBodies, mailHead, type ReceivedMail } from '../../platform/smtp-inbox.ts';

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
      expect(text).toContain('The agent Night shift asks you for db:write, docs:read, for 10 minutes.');
      expect(text).toContain('It says: “Correct the prices”');
    }
    // nothing is to come: what is asked for later is told later
    const next = await approvals.ask();
    expect(await told(next, 2)).toEqual(addresses(one, other));
    expect(mailsOf(id)).toHaveLength(2);
  });

  test('is told to each in their language', async () => {
    const dora = await approvals.scene.approver();
    const admin = approvals.scene.org;
    expect((await admin.org('PATCH', `/admin/users/${dora.id}`, { body: { locale: 'de-AT' } })).status).toBe(200);
    const id = await approvals.ask({ required_scopes: ['db:write', 'docs:read'], duration: 3600 });
    await told(id, 1);
    const [mail] = mailsOf(id);
    expect(mail && mailHead(mail).get('subject')).toBe('Night shift bittet um Berechtigungen');
    const text = mail === undefined ? '' : mailBodies(mail).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Der Agent Night shift bittet Sie um db:write, docs:read, für 1 Stunde.');
    expect(text).toContain('Der Agent schreibt: „Correct the prices“');
    expect(text).toContain('Anfrage öffnen');
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
    expect(mail && mailHead(mail).get('subject')).toBe('Night shift can use some of your permissions');
    expect(mail && mailBodies(mail).replaceAll(/\s+/g, ' ')).toContain(
      'some of your permissions, for 15 minutes: db:write.',
    );
    const next = await approvals.ask({ duration: 900 });
    expect(await told(next, 1)).toEqual(addresses(lender));
    expect(mailsOf(id)).toHaveLength(1);
  });

  test('is not mailed as often as an agent can ask', async () => {
    const { scene } = approvals;
    const lender = await scene.approver();
    await rule({ effect: 'approve', maxSeconds: 900, lenderId: lender.id });
    // other organizations of these tests have somebody with this address
    const { length: before } = world.inbox.mails;
    const ofLender = () => world.inbox.mails.slice(before).filter(({ to }) => to.includes(lender.email));
    for (let count = 0; count < 9; count++) await approvals.ask({ duration: 1 });
    await expect.poll(() => ofLender().length, { timeout: 30_000 }).toBe(5);
    const isLast = (mail: ReceivedMail) =>
      mailBodies(mail).replaceAll(/\s+/g, ' ').includes('we won’t email you about more');
    expect(ofLender().filter(isLast)).toHaveLength(1);
    // another agent has mails of its own, and so has the next minute
    const other = await scene.ask(scene.caller(await scene.agent()), { duration: 1 });
    expect(await told(other.id, 1)).toEqual(addresses(lender));
    approvals.pass(62);
    expect(await told(await approvals.ask({ duration: 1 }), 1)).toEqual(addresses(lender));
    expect(ofLender()).toHaveLength(7);
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
