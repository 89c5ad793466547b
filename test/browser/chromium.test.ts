import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { accessibilityViolations, addAuthenticator, chromiumMissing, complaintsOf, openChromium } from './chromium.ts';

beforeEach(({ skip }) => skip(chromiumMissing !== undefined, chromiumMissing));

const bad = `<!doctype html><html><title>Bad</title><h1>Bad</h1><img src="/none.png"><input>
<p style="color:#aaa;background:#fff">pale</p><script>throw new Error('on the page')</script></html>`;

test('what is wrong with a page is seen: rules of accessibility, blocked scripts, errors; an authenticator is there', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/none.png') return void response.writeHead(404).end();
    const strict = request.url === '/strict' ? { 'content-security-policy': "script-src 'none'" } : {};
    response.writeHead(200, { 'content-type': 'text/html', ...strict }).end(bad);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const browser = await openChromium();
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await page.goto(origin);
    expect(complaints.join('\n')).toMatch(/on the page/);
    expect(complaints.join('\n')).toMatch(/404/);
    const rules = (await accessibilityViolations(page)).map((each) => each.split(':')[0]);
    expect(rules).toEqual(expect.arrayContaining(['color-contrast', 'html-has-lang', 'image-alt', 'label']));
    await page.goto(`${origin}/strict`);
    expect(complaints.join('\n')).toMatch(/Content Security Policy/);
    expect(await accessibilityViolations(page)).not.toEqual([]);
    await addAuthenticator(context, page);
    const made = await page.evaluate(`navigator.credentials.create({ publicKey: {
      challenge: new Uint8Array(32),
      rp: { name: 'Test' },
      user: { id: new Uint8Array(8), name: 'dora', displayName: 'Dora' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    } }).then(({ type }) => type)`);
    expect(made).toBe('public-key');
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
});
