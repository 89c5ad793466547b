import { expect, test } from 'vitest';
import { Background, silentLog } from '../../../src/platform/index.ts';
import { RequestedPage } from '../../../src/server/threads/metrics-page.ts';

const background = new Background({ log: silentLog });

test('a page that does not come in time is given up, and the next request asks anew', async () => {
  let asked = 0;
  const page = new RequestedPage(() => asked++, background, 20);
  expect(await page.text()).toBeUndefined();
  const second = page.text();
  expect(asked).toBe(2);
  page.receive('page');
  expect(await second).toBe('page');
  expect(page.text()).toBe('page');
});

test('a page that could not be made answers those who wait, and the next request asks anew', async () => {
  let asked = 0;
  const page = new RequestedPage(() => asked++, background);
  const waiting = [page.text(), page.text()];
  page.receive(undefined);
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
  const next = page.text();
  page.receive('page');
  expect([await next, asked]).toEqual(['page', 2]);
});
