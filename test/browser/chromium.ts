import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { isWhole } from '../generated/extent.ts';

const program = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find(isExecutable);

/** Why tests in a real browser must be skipped here, if they must. */
export const chromiumMissing = program === undefined ? 'needs chromium, which is not installed' : undefined;

/** Debian's Chromium without a window. It has no sandbox of its own: it opens only pages of the tests, often as root. */
export function openChromium(): Promise<Browser> {
  if (program === undefined) throw new Error(chromiumMissing);
  return chromium.launch({
    executablePath: program,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--disable-features=Translate'],
  });
}

/** Widths and colour schemes that pages are looked at in. */
export const looks = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  mobile: { viewport: { width: 375, height: 812 }, colorScheme: 'light', isMobile: true, hasTouch: true },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;

export type Look = keyof typeof looks;

/**
 * The looks in which a whole table of pages is inspected: all of them, or in `npm test` one, another one in each file.
 * The pages that everybody meets are inspected in all (`identity/pages/in-chromium.test.ts`).
 */
export function looksOf(quick: Look): readonly Look[] {
  return isWhole ? (Object.keys(looks) as Look[]) : [quick];
}

/** What browsers complain about on their console: blocked by the content security policy, not found, an uncaught error. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  return complaints;
}

/** Rules of WCAG 2.2 A and AA and of good practice that the page breaks, each with the elements that break it. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  // evaluated by the debugger, which the page's content security policy does not bind
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    // what passes is not described, and no selectors are sought: a quarter of the work, and nothing of it is read
    return injected.run({ resultTypes: ['violations'], selectors: false });
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Takes the page into the folder that RELATA_SCREENSHOTS names, for people to look at. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env.RELATA_SCREENSHOTS;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/**
 * A built-in authenticator that agrees to everything, as a laptop with a fingerprint reader has it. Answers what says
 * whether somebody is there to touch it.
 */
export async function addAuthenticator(
  context: BrowserContext,
  page: Page,
): Promise<(isPresent: boolean) => Promise<void>> {
  const debuggee = await context.newCDPSession(page);
  await debuggee.send('WebAuthn.enable');
  const { authenticatorId } = await debuggee.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async (enabled) => {
    await debuggee.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
