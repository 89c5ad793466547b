import { execFileSync } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { time, uuid } from '../../server/in-family.ts';
import { forms, InForm } from './in-form.ts';
import { type Received, Receiver } from './receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'relata-webhooks-'));
const file = (name: string) => join(folder, name);
const pem = (name: string) => readFileSync(file(name), 'utf8');

/** A key, and a certificate that it has signed itself. */
function makeCertificate(name: string, subject: string): void {
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const into = ['-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)];
  const names = ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=DNS:${subject}`];
  execFileSync('openssl', ['req', '-x509', ...made, ...into, ...names], { stdio: 'ignore' });
}

makeCertificate('server', 'localhost');
makeCertificate('client', 'relata.example');
makeCertificate('other', 'other.example');

const on = scene({ RELATA_ALLOW_PRIVATE_URLS: '1', NODE_EXTRA_CA_CERTS: file('server.crt') });
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.open();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = (_, response) => response.writeHead(204).end();
});
afterAll(() => {
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const last = (): Received => {
  const received = receiver.received.at(-1);
  if (received === undefined) throw new Error('nothing was received');
  return received;
};

/** What a receiver needs to verify the specification's header. */
function isFrom(secret: string, { headers, body }: Received): boolean {
  const given = String(headers['x-service-signature'] ?? headers['x-relata-signature']).replace(/^sha256=/, '');
  const own = createHmac('sha256', secret).update(body).digest('hex');
  return given.length === own.length && timingSafeEqual(Buffer.from(given), Buffer.from(own));
}

describe.each(forms)('a test of a webhook of form $form', (form) => {
  const here = () => new InForm(on.org, form);
  const make = async (body: object = {}) => {
    const made = await here().make('POST', '', { url: `${receiver.url}/hook?key=k`, events: ['*'], ...body });
    return { id: made.id, secret: String(made[form.secret]) };
  };

  test('arrives once, and its sender is verified by both headers', async () => {
    const { id, secret } = await make({ headers: { 'X-Team': 'red' } });
    receiver.answer = (_, response) => response.writeHead(200).end('thank you');
    const sent = await here().make('POST', `/${id}/test`);
    const request = last();
    expect(receiver.received).toHaveLength(1);
    expect(request).toMatchObject({ method: 'POST', path: '/hook?key=k' });
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'x-team': 'red' });
    expect(isFrom(secret, request)).toBe(true);
    const body = JSON.parse(request.body);
    const headers = request.headers as Record<string, string>;
    expect(new Webhook(secret).verify(request.body, headers)).toEqual(body);
    expect(headers['webhook-id']).toBe(body.id);
    const named = {
      a: { orgId: expect.any(String), createdAt: time },
      b: { timestamp: time },
      c: { timestamp: time, organization: on.org.slug },
    };
    const data = { webhook: { id, description: '' } };
    expect(body).toEqual({ id: uuid, type: 'webhook.test', data, ...named[form.form] });
    const prefix = form.form === 'b' ? 'x-relata' : 'x-service';
    expect(headers[`${prefix}-signature`]).toMatch(form.form === 'b' ? /^[0-9a-f]{64}$/ : /^sha256=[0-9a-f]{64}$/);
    expect(headers).toMatchObject({ [`${prefix}-event`]: 'webhook.test', [`${prefix}-delivery-id`]: sent.id });
    expect(sent).toEqual({
      id: expect.any(String),
      event: 'webhook.test',
      eventId: body.id,
      resources: [`webhook:${id}`],
      status: 'delivered',
      statusCode: 200,
      duration: expect.any(Number),
      error: null,
      response: { body: 'thank you' },
      request: { payload: request.body },
      attemptCount: 1,
      createdAt: time,
      deliveredAt: time,
      nextAttemptAt: null,
    });
  });

  test('is signed by the old secret too, until it ends', async () => {
    const { id, secret } = await make();
    const second = await here().make('POST', `/${id}/rotate-secret`);
    await here().make('POST', `/${id}/test`);
    const both = last();
    expect(isFrom(secret, both)).toBe(false);
    for (const each of [secret, String(second[form.secret])]) {
      expect(() => new Webhook(each).verify(both.body, both.headers as Record<string, string>)).not.toThrow();
    }
    await here().make('POST', `/${id}/rotate-secret`, { expireOldAfterSeconds: 0, secret: 'a secret of my own' });
    await here().make('POST', `/${id}/test`);
    const one = last();
    expect(isFrom('a secret of my own', one)).toBe(true);
    expect(String(one.headers['webhook-signature']).split(' ')).toHaveLength(1);
    expect(() => new Webhook(secret).verify(one.body, one.headers as Record<string, string>)).toThrow();
  });

  test('says what it failed with, and counts for nothing', async () => {
    const { id } = await make({ payload: 'thin', [form.active]: false });
    for (const status of [302, 410, 500]) {
      receiver.answer = (_, response) =>
        response.writeHead(status, { location: '/elsewhere' }).end('Bearer abcdefghijkl');
      expect(await here().make('POST', `/${id}/test`)).toMatchObject({
        status: 'failed',
        statusCode: status,
        deliveredAt: null,
        response: { body: 'Bearer [redacted]' },
      });
    }
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook?key=k', '/hook?key=k', '/hook?key=k']);
    expect(JSON.parse(last().body)).toMatchObject({ type: 'webhook.test', resources: [`webhook:${id}`] });
    expect(last().body).not.toContain('"data"');
    receiver.answer = (_, response) => response.writeHead(200).end('x'.repeat(100_000));
    expect(await here().make('POST', `/${id}/test`)).toMatchObject({
      status: 'delivered',
      response: { body: expect.stringMatching(/^x{4096}.?$/) },
    });
    receiver.answer = (_, response) => response.destroy();
    expect(await here().make('POST', `/${id}/test`)).toMatchObject({
      status: 'failed',
      statusCode: null,
      error: 'failed',
      response: null,
    });
    const { failureCount, failedCount } = (await here().call('GET', `/${id}`)).at(form.data) as Record<string, unknown>;
    expect({ failureCount, failedCount }).toEqual({ failureCount: 0, failedCount: 0 });
  });

  test('deliveries are listed page by page, filtered, and read one by one', async () => {
    const { id } = await make();
    for (const status of [204, 500, 204]) {
      receiver.answer = (_, response) => response.writeHead(status).end();
      await here().make('POST', `/${id}/test`);
    }
    const list = async (query: string) =>
      (await here().call('GET', `/${id}/deliveries${query}`)).at(form.data) as {
        readonly deliveries: readonly { readonly id: string; readonly statusCode: number }[];
        readonly nextCursor: string | null;
      };
    const codes = async (query: string) => (await list(query)).deliveries.map(({ statusCode }) => statusCode);
    expect(await codes('')).toEqual([204, 500, 204]);
    expect(await codes('?status=failed')).toEqual([500]);
    expect(await codes('?status=delivered&type=webhook.test')).toEqual([204, 204]);
    expect(await codes('?type=user.created')).toEqual([]);
    expect(await codes(`?resource=webhook:${id}`)).toEqual([204, 500, 204]);
    expect(await codes('?resource=user:42')).toEqual([]);
    const first = await list('?limit=2');
    expect(first.deliveries.map(({ statusCode }) => statusCode)).toEqual([204, 500]);
    const rest = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect(rest).toMatchObject({ deliveries: [{ statusCode: 204 }], nextCursor: null });
    const [{ id: failed } = { id: '' }] = (await list('?status=failed')).deliveries;
    expect((await here().call('GET', `/${id}/deliveries/${failed}`)).at(form.data)).toMatchObject({
      id: failed,
      attempts: [{ at: time, round: 1, statusCode: 500, duration: expect.any(Number), error: null, response: null }],
    });
    for (const query of ['?limit=0', '?limit=101', '?cursor=x', '?status=lost', '?type=']) {
      expect((await here().call('GET', `/${id}/deliveries${query}`)).status).toBe(400);
    }
    const other = await make();
    expect((await here().call('GET', `/${other.id}/deliveries/${failed}`)).status).toBe(404);
    expect((await here().call('POST', `/${other.id}/deliveries/${failed}/redeliver`)).status).toBe(404);
    await here().make('POST', `/${id}/disable`);
    expect((await here().call('POST', `/${id}/deliveries/${failed}/redeliver`)).status).toBe(422);
    expect((await here().call('POST', `/${id}/replay`, { since: '2020-01-01T00:00:00Z' })).status).toBe(422);
    const reader = await on.org.newKey({ permissions: ['settings.read'] });
    expect((await here().call('GET', `/${id}/deliveries`, undefined, reader.key)).status).toBe(403);
  });
});

describe('who sends', () => {
  const admin = () => new InForm(on.org, forms[1]);

  test('shows a token, and sends nothing where it is given none', async () => {
    let count = 0;
    const tokens = await Receiver.open();
    tokens.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: `t${++count}`, token_type: 'Bearer', expires_in: 600 }));
    };
    try {
      const authentication = {
        type: 'oauth',
        tokenUrl: `${tokens.url}/token`,
        clientId: 'a client',
        clientSecret: 'p:w+d',
        scope: 'hook',
      };
      const { id } = await admin().make('POST', '', { url: receiver.url, events: ['*'], authentication });
      expect(await admin().make('POST', `/${id}/test`)).toMatchObject({ status: 'delivered' });
      expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1']);
      expect(tokens.received[0]).toMatchObject({
        path: '/token',
        body: 'grant_type=client_credentials&scope=hook',
        headers: { authorization: `Basic ${Buffer.from('a+client:p%3Aw%2Bd').toString('base64')}` },
      });
      tokens.answer = (_, response) => response.writeHead(401).end();
      await admin().make('PATCH', `/${id}`, { authentication: { ...authentication, clientSecret: 'another' } });
      expect(await admin().make('POST', `/${id}/test`)).toMatchObject({ status: 'failed', error: 'failed' });
      expect(receiver.received).toHaveLength(1);
    } finally {
      tokens.close();
    }
  });

  test('shows its certificate, which must fit its key', async () => {
    const secure = await Receiver.open({
      key: pem('server.key'),
      cert: pem('server.crt'),
      ca: pem('client.crt'),
      requestCert: true,
      rejectUnauthorized: true,
    });
    try {
      const body = { url: secure.url, events: ['*'] };
      const { id } = await admin().make('POST', '', body);
      expect(await admin().make('POST', `/${id}/test`)).toMatchObject({ status: 'failed', error: 'failed' });
      const authentication = { type: 'mtls', certificate: pem('client.crt'), privateKey: pem('client.key') };
      const shown = await admin().make('PATCH', `/${id}`, { authentication });
      expect(shown.authentication).toEqual({ ...authentication, privateKey: '********' });
      expect(await admin().make('POST', `/${id}/test`)).toMatchObject({ status: 'delivered' });
      expect(secure.received).toMatchObject([{ isKnown: true }]);
      const unfit = { ...authentication, certificate: pem('other.crt') };
      expect(await admin().call('PATCH', `/${id}`, { authentication: unfit })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'authentication.privateKey' }] },
      });
      expect(JSON.stringify((await on.org.call('GET', '/admin/audit-logs')).body)).not.toContain('PRIVATE KEY');
    } finally {
      secure.close();
    }
  });
});
