import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Mailer, OutboundGuard, outboundRequest } from '../../src/platform/index.ts';

const pem = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../identity/providers/fixtures/localhost-${name}.pem`, import.meta.url)), 'utf8');

let server: Server;
let port: number;
let faults: (string | undefined)[] = [];

/** A host that wants a group of its own: it takes nothing but DHE of TLS 1.2. */
beforeAll(async () => {
  const ciphers = 'DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES256-SHA256';
  const options = { key: pem('key'), cert: pem('certificate'), maxVersion: 'TLSv1.2', ciphers, dhparam: 'auto' };
  server = createServer(options as Parameters<typeof createServer>[0]);
  server.on('tlsClientError', ({ code }: NodeJS.ErrnoException) => faults.push(code));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  faults = [];
});
afterAll(() => server.close());

const guard = new OutboundGuard(true);

test('a host that chooses the group of the key exchange is not spoken to', async () => {
  const request = { url: `https://localhost:${port}/`, timeoutMs: 5000, bodyMax: 100 };
  await expect(outboundRequest(guard, request)).rejects.toMatchObject({ code: 'failed' });
  await expect.poll(() => faults).toEqual(['ERR_SSL_NO_SHARED_CIPHER']);
});

test('nor is a mail server', async () => {
  const mail = { from: { address: 'a@b.example' }, to: 'c@d.example', subject: 'Hello', text: 'Hello', html: 'Hello' };
  const sending = new Mailer(guard, null).send(mail as never, { host: 'localhost', port, secure: true });
  await expect(sending).rejects.toMatchObject({ code: 'failed' });
  await expect.poll(() => faults).toEqual(['ERR_SSL_NO_SHARED_CIPHER']);
});
