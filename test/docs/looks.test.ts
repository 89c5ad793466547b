import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  accessibilityViolations,
  chromiumMissing,
  complaintsOf,
  type Look,
  looks,
  looksOf,
  openChromium,
  takePicture,
} from '../browser/chromium.ts';
import { InProcessService } from '../identity/sessions/in-process-service.ts';

beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));

let service: InProcessService;
let browser: Browser;

beforeAll(async () => {
  if (chromiumMissing !== undefined) return;
  service = await InProcessService.start();
  browser = await openChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const pages = {
  first: '/docs',
  area: '/docs/reference/users',
  guide: '/docs/guides/first-model',
  document: '/docs/documents/command-line',
};

const all: Readonly<Record<Look, BrowserContextOptions>> = {
  light: looks.light,
  dark: looks.dark,
  mobile: { ...looks.mobile, viewport: { width: 375, height: 812 } },
};

async function inspect(page: Page, name: string): Promise<void> {
  await takePicture(page, name);
  const { scrollWidth, clientWidth } = await page.evaluate<{ scrollWidth: number; clientWidth: number }>(
    '({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })',
  );
  expect({ name, isWider: scrollWidth > clientWidth }).toEqual({ name, isWider: false });
  expect({ name, broken: await accessibilityViolations(page) }).toEqual({ name, broken: [] });
}

describe.each(looksOf('mobile'))('the documentation, %s', (look) => {
  test('can be read, fits and breaks no rule of accessibility', { timeout: 120_000 }, async () => {
    const context = await browser.newContext(all[look]);
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(service.url + path);
      await inspect(page, `docs-${name}-${look}`);
    }
    await page.goto(`${service.url}/docs`);
    await page.getByRole('searchbox').fill('create user');
    await page.getByText(/found\.|more: add a word\./).waitFor();
    expect(await page.locator('form.search .found a').first().textContent()).toContain('/admin/users');
    await inspect(page, `docs-search-${look}`);
    await page.getByRole('searchbox').fill('xylophone quagmire');
    await page.getByText('Nothing found.').waitFor();
    await inspect(page, `docs-nothing-${look}`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('leads with the keyboard from the search to an operation', { timeout: 60_000 }, async () => {
    const context = await browser.newContext(all[look]);
    const page = await context.newPage();
    await page.goto(`${service.url}/docs`);
    await page.keyboard.press('/');
    await page.keyboard.type('checkRelation');
    await page.getByText(/found\.|more: add a word\./).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/reference\/relationships#checkRelation$/);
    await context.close();
  });
});
