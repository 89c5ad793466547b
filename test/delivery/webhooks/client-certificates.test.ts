import { createPrivateKey, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { expectRefusals } from '../../server/in-family.ts';
import { forms, InForm } from './in-form.ts';

const on = scene();
const pem = (name: string): string =>
  readFileSync(
    fileURLToPath(new URL(`../../identity/providers/fixtures/localhost-${name}.pem`, import.meta.url)),
    'utf8',
  );
const type = 'mtls';
const certificate = pem('certificate');
const privateKey = pem('key');
const url = 'https://receiver.example/hook';

/** A private key of RSA in name: its numbers are any. What it costs to sign with it goes by their lengths. */
function numbersOf(bits: number): string {
  const number = (length: number) => {
    const bytes = randomBytes(length / 8);
    bytes.writeUInt8((bytes.readUInt8(0) | 0x80) & 0xff, 0);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) | 1, bytes.length - 1);
    return bytes.toString('base64url');
  };
  const half = number(bits / 2);
  const key = {
    kty: 'RSA',
    n: number(bits),
    e: 'AQAB',
    d: number(bits),
    p: half,
    q: half,
    dp: half,
    dq: half,
    qi: half,
  };
  return createPrivateKey({ key, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString();
}

test('a certificate of a client is its own alone, and costs little to sign with', async () => {
  const [form] = forms;
  const admin = new InForm(on.org, form);
  const body = { url, events: ['*'] };
  await expectRefusals(
    (authentication) => admin.call('POST', '', { ...body, authentication: { type, ...(authentication as object) } }),
    [
      {
        name: 'with its private key in it',
        body: { certificate: `${certificate}\n${privateKey}`, privateKey },
        path: 'authentication.certificate',
      },
      {
        name: 'a key of 8,192 bits',
        body: { certificate, privateKey: numbersOf(8192) },
        path: 'authentication.privateKey',
      },
    ],
  );
  expect(JSON.stringify((await admin.call('GET')).body)).toContain('"total":0');
  const { id } = await admin.make('POST', '', { ...body, authentication: { type, certificate, privateKey } });
  for (const kept of [undefined, '********']) {
    const authentication = { type, certificate, privateKey: kept };
    const moved = await admin.call('PATCH', `/${id}`, { url: 'https://thief.example', authentication });
    expect(moved.status).toBe(422);
  }
});
