import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CookieJar } from './cookie-jar.ts';
import { FormBrowser } from './form-browser.ts';

const page = `<!doctype html><html><head><title>Sign in &amp; go</title><style>h1 > a { }</style></head><body>
<h1>Hello <em>there</em></h1><script>document.write('<form action="/no"></form>')</script>
<form method="post" action="/form?x=1"><input type="hidden" name="csrf" value="a&quot;b"/>
<label>Mail<input type="email" name="email" value="" autocomplete="username"></label>
<input type="checkbox" name="stay" value="yes" checked><input type="checkbox" name="other">
<input type="radio" name="kind" value="a" checked><input type="radio" name="kind" value="b">
<select name="lang"><option value="en">English</option><option selected>de</option></select>
<textarea name="note">1 &lt; 2</textarea><input name="off" disabled>
<button name="do" value="go">Continue</button><button name="do" value="cancel" formaction="/cancel">Cancel</button></form>
<form action="/search"><input name="q"><button>Search</button></form>
<a href="/around?n=1">Go <b>around</b></a></body></html>`;

let server: Server;
let origin: string;

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', origin);
  const around = Number(searchParams.get('n'));
  if (pathname === '/') {
    response.setHeader('set-cookie', ['one=1; Path=/form; HttpOnly', 'two=2; SameSite=Strict', 'old=0; Max-Age=0']);
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
  } else if (pathname === '/around') {
    const location = around === 3 ? 'https://app.example/cb?code=1' : `/around?n=${around + 1}`;
    response.writeHead(303, { location }).end();
  } else if (pathname === '/for-ever') response.writeHead(302, { location: '/for-ever' }).end();
  else {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { cookie, origin: sender } = request.headers;
      const site = request.headers['sec-fetch-site'];
      const body = Buffer.concat(chunks).toString();
      response.end(JSON.stringify({ method: request.method, url: request.url, body, cookie, sender, site }));
    });
  }
}

beforeAll(async () => {
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

describe('the browser of the tests', () => {
  test('reads a page as a browser shows it', async () => {
    const shown = await new FormBrowser({ origin }).open('/');
    expect(shown).toMatchObject({ title: 'Sign in & go', heading: 'Hello there', status: 200 });
    expect(shown.text).not.toContain('document.write');
    expect(shown.links).toEqual([{ text: 'Go around', href: '/around?n=1' }]);
    expect(shown.forms.map(({ action }) => action)).toEqual(['/form?x=1', '/search']);
    expect(shown.form(['email']).fields.map(({ name }) => name)).not.toContain('off');
  });

  test('sends what a form holds, with its cookies and origin', async () => {
    const browser = new FormBrowser({ origin });
    const shown = await browser.open('/');
    const sent = JSON.parse((await browser.submit(shown, { email: 'a+b@c.example', kind: 'b' })).html);
    expect(sent).toEqual({
      method: 'POST',
      url: '/form?x=1',
      body: 'csrf=a%22b&email=a%2Bb%40c.example&stay=yes&kind=b&lang=de&note=1+%3C+2&do=go',
      cookie: 'one=1; two=2',
      sender: origin,
      site: 'same-origin',
    });
    const cancelled = JSON.parse((await browser.submit(shown, { stay: false }, { button: 'Cancel' })).html);
    expect(cancelled).toMatchObject({ url: '/cancel', cookie: 'two=2' });
    expect(cancelled.body).toMatch(/^csrf=a%22b&email=&kind=a&.*&do=cancel$/);
    expect(JSON.parse((await browser.submit(shown, { q: 'x y' })).html)).toMatchObject({ url: '/search?q=x+y' });
    await expect(async () => browser.submit(shown, { nowhere: '1' })).rejects.toThrow('0 forms with [nowhere]');
  });

  test('sends as another site would make it', async () => {
    const browser = new FormBrowser({ origin });
    await browser.open('/');
    const from = 'https://evil.example';
    const posted = JSON.parse((await browser.post('/form', { a: '1' }, { from })).html);
    expect(posted).toMatchObject({ body: 'a=1', sender: from, site: 'cross-site' });
    expect(posted.cookie).toBeUndefined();
    const old = JSON.parse((await browser.post('/form', { a: '1' }, { from, forgetsSameSite: true })).html);
    expect(old.cookie).toBe('one=1; two=2');
    expect(JSON.parse((await browser.open('/form', { from })).html).cookie).toBe('one=1');
  });

  test('follows redirects step by step, stops at another origin, and never goes on for ever', async () => {
    const browser = new FormBrowser({ origin });
    const gone = await browser.click(await browser.open('/'), 'Go around');
    expect(gone.left.url.href).toBe('https://app.example/cb?code=1');
    expect(gone.steps.map(({ status, url }) => [status, url.search])).toEqual([
      [303, '?n=1'],
      [303, '?n=2'],
      [303, '?n=3'],
    ]);
    await expect(browser.open('/for-ever')).rejects.toThrow('too many redirects');
  });
});

describe('its cookies', () => {
  const https = new URL('https://id.example/orgs/acme/signin');
  const plain = new URL('http://id.example/orgs/acme/signin');

  test.each([
    ['Secure over http', plain, 'a=1; Secure'],
    ['SameSite=None without Secure', https, 'a=1; SameSite=None'],
    ['a domain', https, 'a=1; Domain=example'],
    ['__Host- on a path', https, '__Host-a=1; Secure; Path=/orgs/acme/'],
    ['__Secure- without it', https, '__Secure-a=1'],
    ['a value with a space', https, 'a=1 2'],
  ])('are refused: %s', (_, url, header) => {
    expect(() => new CookieJar().take(url, [header])).toThrow('a browser refuses this cookie');
  });

  test('stay on their path and host, and are replaced by name, host and path', () => {
    const jar = new CookieJar();
    jar.take(https, ['a=1; Path=/orgs/acme/; Secure; HttpOnly; SameSite=Lax', 'a=2; Path=/']);
    jar.take(https, ['a=3; Path=/orgs/acme/; Secure; HttpOnly; SameSite=Lax']);
    const at = (url: string) => jar.header(new URL(url), { crossSite: false, method: 'GET' });
    expect(at('https://id.example/orgs/acme/x')).toBe('a=3; a=2');
    expect(at('https://id.example/orgs/acmes')).toBe('a=2');
    expect(at('http://id.example/orgs/acme/x')).toBe('a=2');
    expect(at('https://sub.id.example/orgs/acme/x')).toBe('');
    expect(jar.named('a')).toMatchObject({ secure: false });
    jar.take(https, ['a=; Path=/; Max-Age=0']);
    expect(jar.all()).toHaveLength(1);
  });
});
