import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mailBodies } from '../platform/smtp-inbox.ts';
import { newPerson } from '../protocols/oauth/signing-in.ts';
import { BrowserWorld } from './browser-world.ts';
import { chromiumMissing } from './chromium.ts';

beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));

let world: BrowserWorld;

beforeAll(async () => {
  if (chromiumMissing !== undefined) return;
  world = await BrowserWorld.start('signin');
  await world.set('/admin/settings/auth', {
    login_flow: { magic_link_enabled: true },
    registration: { signup_enabled: true },
  });
  await world.set('/admin/settings/security', { maxLoginAttempts: 3 });
});
afterAll(() => world?.stop());

async function mailedLink(email: string): Promise<string> {
  const body = mailBodies(await world.inbox.mailTo(email));
  const [link] = /http:\/\/localhost:\d+\/orgs\/[^\s"<>]+/.exec(body) ?? [];
  return String(link).replaceAll('&amp;', '&');
}

const account = () => `${world.issuer}/account`;

describe('signing in, in a browser', { timeout: 180_000 }, () => {
  test('sign-up, with the address confirmed by mail, and sign-out', async () => {
    const visitor = await world.visitor();
    const { page } = visitor;
    await page.goto(account());
    await page.getByRole('link', { name: 'Create an account' }).click();
    await visitor.sees('Create an account');
    await visitor.inspect('signup');
    const email = 'new@example.com';
    await visitor.fill({ email });
    await visitor.press('Continue');
    await visitor.sees('Check your email');
    await visitor.inspect('signup-sent');
    await page.goto(await mailedLink(email));
    await visitor.inspect('signup-complete');
    await visitor.fill({ name: 'New Person', 'new-password': 'a long new secret 9' });
    await visitor.press('Create account');
    await visitor.sees(/New Person/);
    await visitor.inspect('account');
    await page.goto(`${world.issuer}/signout`);
    await visitor.inspect('signout');
    await visitor.press('Sign out');
    await visitor.sees(/signed out/i);
    await visitor.inspect('signed-out');
    await visitor.close();
  });

  test('a wrong password is told, and too many lock out, also with the right one', async () => {
    const person = await newPerson(world.provider);
    const visitor = await world.visitor();
    const { page } = visitor;
    await page.goto(account());
    await visitor.signIn({ ...person, password: 'wrong password' });
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/password/i);
    visitor.complaints.splice(0);
    await visitor.inspect('wrong-password');
    for (let more = 0; more < 2; more++) await visitor.signIn({ ...person, password: 'wrong password' });
    await visitor.signIn(person);
    await page.getByRole('alert').waitFor();
    visitor.complaints.splice(0);
    await visitor.inspect('locked-out');
    await page.goto(account());
    await page.locator('input[autocomplete~="current-password"]').waitFor();
    await visitor.close();
  });

  test('a forgotten password is set anew by a link', async () => {
    const person = await newPerson(world.provider);
    const visitor = await world.visitor();
    const { page } = visitor;
    await page.goto(account());
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await visitor.sees('Forgot your password?');
    await visitor.inspect('forgot');
    await visitor.fill({ email: person.email });
    await visitor.press('Send link');
    await visitor.sees('Check your email');
    await page.goto(await mailedLink(person.email));
    await visitor.inspect('new-password');
    await visitor.fill({ 'new-password': 'short' });
    await visitor.press('Set password');
    await page.getByRole('alert').waitFor();
    visitor.complaints.splice(0);
    await visitor.inspect('new-password-refused');
    await visitor.fill({ 'new-password': 'quite another secret 42' });
    await visitor.press('Set password');
    await page.locator('input[autocomplete~="new-password"]').waitFor({ state: 'detached' });
    await page.goto(account());
    if (!page.url().endsWith('/account')) await visitor.signIn({ ...person, password: 'quite another secret 42' });
    await visitor.sees(/Hello/);
    await visitor.close();
  });

  test('a magic link signs in when it is confirmed, in the browser that asked', async () => {
    const person = await newPerson(world.provider);
    const visitor = await world.visitor();
    const { page } = visitor;
    await page.goto(account());
    await visitor.fill({ username: person.email });
    await visitor.press('Email me a sign-in link');
    await visitor.sees('Check your email');
    await page.goto(await mailedLink(person.email));
    await visitor.inspect('magic-link');
    await visitor.press('Sign in');
    await visitor.sees(/Hello/);
    await visitor.close();
  });
});
