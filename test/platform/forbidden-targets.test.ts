import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OutboundClient, OutboundGuard, outboundRequest } from '../../src/platform/index.ts';

/** Every host that answers is this one: a request that reaches it has come inside. */
let reached = 0;
const inside = createServer((_, answer) => {
  reached += 1;
  answer.end('inside');
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => inside.listen(0, resolve));
  port = (inside.address() as AddressInfo).port;
});
afterAll(() => inside.close());

const limits = { timeoutMs: 5000, bodyMax: 100 };

/** Names and what they resolve to; others are resolved by the system. */
const names: Readonly<Record<string, readonly string[]>> = {
  'inside.example': ['127.0.0.1'],
  'inside.example.': ['127.0.0.1'],
  'private.example': ['10.1.2.3'],
  'mixed.example': ['93.184.216.34', '192.168.1.1'],
  'mixed-reversed.example': ['192.168.1.1', '93.184.216.34'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'six.example': ['::1'],
  'mixed-six.example': ['93.184.216.34', 'fe80::1'],
  'metadata.example': ['169.254.169.254'],
  'shared.example': ['100.64.0.1'],
  'unique.example': ['fd00:ec2::254'],
};

function guardOf(lookups: string[] = []): OutboundGuard {
  return new OutboundGuard(false, async (name) => {
    lookups.push(name);
    const found = names[name] ?? (name.includes('localhost') ? ['127.0.0.1'] : []);
    return found.map((address) => ({ address }));
  });
}

/** What leads inside by a name is refused as a name that nobody has. */
const isName = (host: string): boolean => host in names;

const hosts = [
  // as it is written
  '127.0.0.1',
  '127.0.0.1.',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  // metadata of clouds, and addresses of providers' own networks
  '169.254.169.254',
  '169.254.170.2',
  '169.254.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '100.127.255.255',
  // decimal, octal, hexadecimal, short, mixed, escaped and full-width
  '2130706433',
  '3232235521',
  '2852039166',
  '017700000001',
  '0x7f000001',
  '0x7f.0x0.0x0.0x1',
  '0177.0.0.1',
  '0177.0x0.0.1',
  '0xA9FEA9FE',
  '0251.0376.0251.0376',
  '127.1',
  '127.0.1',
  '0',
  '0x0',
  '10.1',
  '192.168.257',
  '%31%32%37.0.0.1',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '１２７.０.０.１',
  // IPv6
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::2]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fdff::1]',
  '[ff02::1]',
  '[ff0e::1]',
  '[100::1]',
  '[2001::1]',
  '[2001:2::1]',
  '[2001:10::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[4000::1]',
  // IPv4 within IPv6: mapped, compatible, translated, 6to4, Teredo
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::169.254.169.254]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::1]',
  '[2001:0:7f00:1::]',
  // names
  'localhost',
  'localhost.',
  'LOCALHOST',
  'a.localhost',
  ...Object.keys(names),
];

/** What is no https URL, or is more than one. */
const urls = [
  'http://93.184.216.34/',
  'http://127.0.0.1/',
  'http://inside.example/',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'data:text/plain,inside',
  'javascript:1',
  'ws://127.0.0.1/',
  'wss://127.0.0.1/',
  'unix:/var/run/docker.sock',
  'blob:https://a.example/1',
  'ldap://127.0.0.1/',
  'https://user@93.184.216.34/',
  'https://user:word@93.184.216.34/',
  'https://:word@93.184.216.34/',
  'https://93.184.216.34@127.0.0.1/',
  'https://a.example:word@127.0.0.1/',
  '//127.0.0.1/',
  'https://',
  'https://[::1',
  'https://127.0.0.1:99999/',
  'https://127.0.0.256/',
  'https://1.2.3.4.5/',
  'https://[fe80::1%25eth0]/',
  '',
  ' ',
];

describe.each([
  ['on a connection of its own', (guard: OutboundGuard, url: string) => outboundRequest(guard, { url, ...limits })],
  [
    'on kept connections',
    async (guard: OutboundGuard, url: string) => {
      const client = new OutboundClient(guard);
      return client.request({ url, ...limits }).finally(() => client.close());
    },
  ],
])('%s', (_, request) => {
  test('the tables are long enough', () => expect(hosts.length + urls.length).toBeGreaterThanOrEqual(60));

  test.each(hosts.map((host) => [host]))('the host %s is refused', async (host) => {
    reached = 0;
    for (const url of [`https://${host}:${port}/hook`, `https://${host}/`, `https:${host}/`, `https:\\\\${host}\\x`]) {
      const code = isName(host) ? 'unresolved' : 'refused_address';
      await expect(request(guardOf(), url)).rejects.toMatchObject({ name: 'OutboundError', code });
    }
    expect(reached).toBe(0);
  });

  test.each(urls.map((url) => [url]))('the URL %j is refused', async (url) => {
    await expect(request(guardOf(), url)).rejects.toMatchObject({ name: 'OutboundError', code: 'refused_url' });
  });

  test('a name that the system has for this machine is refused', async () => {
    reached = 0;
    const resolving = request(new OutboundGuard(false), `https://${hostname()}:${port}/`);
    await expect(resolving).rejects.toMatchObject({ code: 'unresolved' });
    expect(reached).toBe(0);
  });

  test('a name that has another address after it was checked is judged by the one that is connected to', async () => {
    reached = 0;
    const answers = ['93.184.216.34', '127.0.0.1'];
    const guard = new OutboundGuard(false, async () => [{ address: answers.shift() ?? '127.0.0.1' }]);
    // as a webhook's URL is checked when it is made
    await guard.resolve('changing.example');
    await expect(request(guard, `https://changing.example:${port}/`)).rejects.toMatchObject({ code: 'unresolved' });
    expect(reached).toBe(0);
  });

  test('a name is looked up once for a connection: there is no second answer to connect to', async () => {
    const lookups: string[] = [];
    const guard = new OutboundGuard(true, async (name) => {
      lookups.push(name);
      return [{ address: lookups.length === 1 ? '127.0.0.1' : '127.0.0.9' }];
    });
    await request(guard, `http://once.example:${port}/`);
    expect(lookups).toEqual(['once.example']);
  });

  test.each([301, 302, 303, 307, 308])('a redirect with %d is an answer, and not followed', async (status) => {
    reached = 0;
    const redirecting = createServer((__, answer) => {
      answer.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, resolve));
    const { port: from } = redirecting.address() as AddressInfo;
    expect(await request(new OutboundGuard(true), `http://127.0.0.1:${from}/`)).toMatchObject({ status });
    expect(reached).toBe(0);
    redirecting.close();
  });
});
