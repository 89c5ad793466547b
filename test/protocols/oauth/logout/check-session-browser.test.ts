import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumMissing, complaintsOf, openChromium } from '../../../browser/chromium.ts';
import { RunningService } from '../../../server/running-service.ts';
import { CallbackReceiver } from '../callback-receiver.ts';
import { type AuthorizationRequest, RelyingParty } from '../relying-party.ts';
import { newPerson } from '../signing-in.ts';
import { Provider } from '../world.ts';

let service: RunningService;
let receiver: CallbackReceiver;
let browser: Browser;

beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));
beforeAll(async () => {
  if (chromiumMissing !== undefined) return;
  service = await RunningService.start({
    RELATA_THREADS: '1',
    RELATA_ALLOW_PRIVATE_URLS: '1',
    RELATA_LIMIT_RATE_REFUSED: '0',
  });
  receiver = await CallbackReceiver.open();
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await receiver?.close();
  await service?.remove();
});

/** The application's page, of the same site as the provider, as browsers keep cookies from frames of other sites without TLS. */
const site = () => receiver.url.replace('127.0.0.1', 'localhost');

/** As the specification's own example does it: a frame of the provider, and a question. */
const framing = (frame: string) => `<!doctype html><title>Application</title><iframe id="op" src="${frame}"></iframe>`;

async function ask(page: Page, message: string): Promise<string> {
  return page.evaluate(
    (text) =>
      new Promise<string>((resolve, reject) => {
        const {
          document,
          addEventListener,
          setTimeout: later,
        } = globalThis as unknown as {
          document: { getElementById(id: string): { contentWindow: { postMessage(data: string, to: string): void } } };
          addEventListener(name: string, hear: (event: { data: string }) => void): void;
          setTimeout(task: () => void, ms: number): void;
        };
        addEventListener('message', ({ data }) => resolve(data));
        later(() => reject(new Error('no answer')), 30_000);
        document.getElementById('op').contentWindow.postMessage(text, '*');
      }),
    message,
  );
}

describe('check_session in a browser', () => {
  test('answers unchanged until somebody signs out, and tells no one else', async () => {
    const provider = new Provider(await service.organization('frames'));
    const redirectUri = `${site()}/callback`;
    const party = await RelyingParty.register(provider, {
      redirectUris: [redirectUri],
      skipConsent: true,
      backchannelLogoutUri: `${receiver.url}/backchannel`,
    });
    const person = await newPerson(provider);
    const frame = String(party.server.check_session_iframe);
    receiver.pages.set('/framing', framing(frame));

    const context = await browser.newContext();
    const page = await context.newPage();
    const request: AuthorizationRequest = await party.begin();
    await page.goto(request.url.href);
    await page.fill('[autocomplete~=username]', person.email);
    await page.fill('input[type=password]', person.password);
    await Promise.all([page.waitForURL(`${redirectUri}**`), page.click('button.main')]);
    const callback = new URL(page.url());
    const state = callback.searchParams.get('session_state') ?? '';
    expect(state).toMatch(/^[\w-]{43}\.\w+$/);
    await party.finish(request, callback);

    const complaints = complaintsOf(page);
    await page.goto(`${site()}/framing`);
    expect(complaints).toEqual([]);
    const asked = `${party.id} ${state}`;
    expect(await ask(page, asked)).toBe('unchanged');
    expect(await ask(page, 'nonsense')).toBe('error');
    expect(await ask(page, `another ${state}`)).toBe('changed');

    const account = await context.newPage();
    await account.goto(`${provider.issuer}/account`);
    await Promise.all([account.waitForURL('**/signed-out'), account.click('#sign-out button')]);
    expect(await ask(page, asked)).toBe('changed');
    expect((await receiver.take('/backchannel')).fields.get('logout_token')).toMatch(/^eyJ/);

    const evil = await CallbackReceiver.open();
    evil.pages.set('/framing', framing(frame));
    const other = await context.newPage();
    const refused = complaintsOf(other);
    await other.goto(`${evil.url.replace('127.0.0.1', 'localhost')}/framing`);
    await expect.poll(() => refused.join()).toContain('frame-ancestors');
    await evil.close();
    await context.close();
  });
});
