import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { wrongCode } from '../identity/mfa/mfa-world.ts';
import { newPerson } from '../protocols/oauth/signing-in.ts';
import { BrowserWorld } from './browser-world.ts';
import { chromiumMissing } from './chromium.ts';

beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));

let world: BrowserWorld;

beforeAll(async () => {
  if (chromiumMissing === undefined) world = await BrowserWorld.start('factors');
});
afterAll(() => world?.stop());

const account = () => `${world.issuer}/account`;
/** The step of an authenticator's code that follows the one used for enrolment, so that no test waits for it. */
const NEXT_MS = 30_000;

describe('factors, in a browser', { timeout: 180_000 }, () => {
  test('an authenticator app is enrolled by a QR code where it is required, and asked for at the next sign-in', async () => {
    await world.set('/admin/settings/auth', { mfa: { mfa_required: true, mfa_methods: ['totp', 'webauthn'] } });
    const person = await newPerson(world.provider);
    const visitor = await world.visitor();
    const { page } = visitor;
    await page.goto(account());
    await visitor.signIn(person);
    await visitor.sees('Set up two-step verification');
    await visitor.inspect('enrol');
    await page.getByRole('link', { name: 'Authenticator app' }).click();
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    await visitor.inspect('enrol-totp');
    const secret = String(await page.locator('code.secret').textContent());
    const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) });
    await visitor.fill({ 'one-time-code': totp.generate() });
    await visitor.press('Add');
    await visitor.sees('Save your recovery codes');
    await visitor.inspect('recovery-codes');
    await page.getByRole('link', { name: /saved my codes/ }).click();
    await visitor.sees(/Hello/);
    await page.goto(`${account()}/factors`);
    await visitor.inspect('account-factors');

    const later = await world.visitor();
    await later.page.goto(account());
    await later.signIn(person);
    await later.sees('Verify it’s you');
    await later.inspect('challenge');
    await later.fill({ 'one-time-code': wrongCode(totp, Date.now()) });
    await later.press('Continue');
    await later.page.getByRole('alert').waitFor();
    later.complaints.splice(0);
    await later.fill({ 'one-time-code': totp.generate({ timestamp: Date.now() + NEXT_MS }) });
    await later.press('Continue');
    await later.sees(/Hello/);
    await world.set('/admin/settings/auth', { mfa: { mfa_required: false } });
    await visitor.close();
    await later.close();
  });
});
