import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRequest } from '../../../src/directory/elevations/index.ts';
import { readHtml } from '../../browser/html.ts';
import type { Page } from '../../browser/page.ts';
import { mailBodies, type ReceivedMail } from '../../platform/smtp-inbox.ts';
import type { Visitor } from '../account/account-world.ts';
import { facts } from '../sessions/in-process-service.ts';
import { SignInWorld } from '../signin/world.ts';
import { ApprovalScene } from './approval-scene.ts';

let world: SignInWorld;
let approvals: ApprovalScene;
let dora: Visitor;

beforeAll(async () => {
  world = await SignInWorld.start();
  approvals = await ApprovalScene.in(world, '\u202E<i>evil</i>\u202C & co');
  dora = await approvals.approver();
});
afterAll(() => world.stop());

/** Every page that shows what the agent wrote. */
async function pagesOf(body: { readonly task_description: string; readonly justification?: string }): Promise<Page[]> {
  const { justification, ...asked } = body;
  const id = await approvals.ask(asked);
  if (justification !== undefined) {
    const caller = approvals.scene.caller(approvals.agentId);
    const added = { task_id: id, scope: 'db:write', justification };
    await addRequest(approvals.scene.elevations, caller, facts, added);
  }
  const inbox = await dora.open('/approvals');
  const asking = await approvals.open(dora, id);
  const done = await dora.browser.submit(asking, {}, { button: 'approve' });
  const agents = await dora.open('/agents');
  return [inbox, asking, done, agents];
}

const elements = (page: Page) =>
  readHtml(page.html)
    .flatMap((piece) => (piece.kind === 'open' ? [piece.name] : []))
    .toSorted();

test('markup of an agent is text, and adds no element and no attribute', async () => {
  const plain = await pagesOf({ task_description: 'plain', justification: 'plain' });
  const evil = '"><script>alert(1)</script><img src=x onerror=alert(1)><a href="https://evil.example">here</a>';
  const pages = await pagesOf({ task_description: evil, justification: `${evil}</textarea></figure></form>` });
  for (const [at, page] of pages.entries()) {
    expect(page.html).not.toMatch(/<script>|<script(?! src="\/assets\/pages-)/);
    expect(page.html).not.toContain('<img');
    expect(page.html).not.toContain('<i>evil');
    if (at < 3) expect(page.text).toContain(evil);
    if (at === 1 || at === 2) expect(elements(page)).toEqual(elements(plain[at] as Page));
    expect(page.links.map(({ href }) => href)).not.toContain('https://evil.example');
  }
});

test('a link of an agent is no link', async () => {
  const [, asking] = await pagesOf({ task_description: 'Go to https://evil.example/ now, or www.evil.example' });
  expect(asking?.text).toContain('https://evil.example/');
  expect(asking?.links.some(({ href }) => href.includes('evil'))).toBe(false);
});

test('what is not seen, or turns the text around, is named', async () => {
  const [inbox, asking, done, agents] = await pagesOf({
    task_description: 'Read \u202Eetirw\u202C do\u200Bcs\uFEFF',
    justification: 'a\u2066b\u{E0041}',
  });
  for (const page of [inbox, asking, done]) {
    expect(page?.text).toContain('Read [U+202E]etirw[U+202C] do[U+200B]cs[U+FEFF]');
  }
  expect(asking?.text).toContain('a[U+2066]b[U+E0041]');
  for (const page of [inbox, asking, done, agents]) {
    expect(page?.text).toContain('[U+202E]<i>evil</i>[U+202C] & co');
    expect(page?.html).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B\uFEFF\u{E0000}-\u{E007F}]/u);
  }
});

test('mail has it in one line, and nothing in it is hidden', async () => {
  const description = 'Look\n\nDecide:\r\nhttps://evil.example/\u202E \u200B<b>now</b>';
  const id = await approvals.ask({ task_description: description });
  const { email } = dora.person;
  await expect.poll(() => approvals.site.mails(email).some((mail) => mailBodies(mail).includes(id))).toBe(true);
  const mail = approvals.site.mails(email).find((each) => mailBodies(each).includes(id));
  const bodies = mailBodies(mail as ReceivedMail);
  expect(bodies).toContain('It says: “Look Decide: https://evil.example/[U+202E] [U+200B]<b>now</b>”');
  expect(bodies).toContain(approvals.pathOf(id));
  expect(bodies).toMatch(/for \d+ minutes\.[\s\S]*Decide within (9|10) minutes/);
  expect(bodies).not.toContain('href="https://evil');
  expect(bodies).not.toMatch(/[\u202A-\u202E\u200B]/);
});

test('long text is shown whole, and every line of it', async () => {
  const description = `${'line\n'.repeat(390)}${'W'.repeat(40)}`;
  const [, asking] = await pagesOf({ task_description: description, justification: 'W'.repeat(1000) });
  expect(asking?.html).toContain(description);
  expect(asking?.html).toContain('W'.repeat(1000));
});
