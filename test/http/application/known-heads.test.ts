import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { Random } from '../../../bench/data/random.ts';
import { readCredential } from '../../../src/access/guard/credentials.ts';
import { Application, type Endpoint, endpointFor, json, openTransport, problem } from '../../../src/http/index.ts';
import type { Listening } from '../../../src/http/transport/transport.ts';
import { addressList, silentLog } from '../../../src/platform/index.ts';
import { seed } from '../../generated/seed.ts';
import { sendRaw } from '../transport/raw-client.ts';

const limits = { headersTimeoutMs: 30_000, bodyTimeoutMs: 30_000, idleTimeoutMs: 30_000, headerBytes: 16_384 };
const REQUESTS = 400;
/** One connection answers so many after each other. */
const CONNECTION = 100;

let server: Listening;

/** Answers what it was asked, and with which key. */
const endpoints: Endpoint[] = ['/one', '/two'].map((path) =>
  endpointFor<string>()({
    method: 'POST',
    path,
    tags: [],
    summary: 'x',
    access: 'authenticated',
    body: z.object({ a: z.string() }),
    scan: (text) => (text.length > 11 ? undefined : { a: text }),
    responses: { 200: z.unknown() },
    handler: ({ caller, body }) => json(200, { path, caller, body }),
  }),
);

beforeAll(async () => {
  const application = new Application<string>({
    endpoints,
    guard: {
      authenticate(visit) {
        const credential = readCredential(visit);
        return credential.kind === 'key' ? credential.key : problem('unauthenticated', credential.kind);
      },
      authorize: () => undefined,
    },
    limits: { bodyBytes: 100, jsonDepth: 4, queryParameters: 4, validationErrors: 3 },
    requestId: () => 'id',
    trustedProxies: addressList([]),
    log: silentLog,
  });
  const transport = openTransport({ choice: 'socket', threads: 1 }, limits);
  server = await transport.listen({ host: '127.0.0.1', port: 0 }, application);
});
afterAll(() => server.close());

const one = <T>(random: Random, all: readonly T[]): T => all[random.below(all.length)] as T;

/** A request, and the beginning and end of its answer. */
function drawn(random: Random): { readonly text: string; readonly status: string; readonly says: string } {
  const path = one(random, ['/one', '/two', '/none']);
  const key = one(random, ['k1', 'k2', 'k3', '']);
  const type = one(random, ['application/json', 'text/plain']);
  const a = 'x'.repeat(random.below(6));
  const body = `{"a":"${a}"}`;
  const authorization = key === '' ? '' : `Authorization: ApiKey ${key}\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${authorization}Content-Type: ${type}\r\n`;
  const text = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  if (path === '/none') return { text, status: '404', says: 'There is nothing at POST /none' };
  if (key === '') return { text, status: '401', says: 'none' };
  if (type === 'text/plain') return { text, status: '415', says: 'Content-Type must be' };
  const value = body.length > 11 ? a : body;
  return { text, status: '200', says: JSON.stringify({ path, caller: key, body: { a: value } }) };
}

test(`heads that come again are answered as their own, in any order (seed ${seed})`, async () => {
  const random = new Random(seed);
  for (let from = 0; from < REQUESTS; from += CONNECTION) {
    // few of many, so that a connection sees the same again
    const few = Array.from({ length: 1 + random.below(3) }, () => drawn(random));
    const sent = Array.from({ length: CONNECTION }, () => (random.below(10) === 0 ? drawn(random) : one(random, few)));
    const { text } = await sendRaw(server.port, sent.map(({ text }) => text).join(''), { answers: CONNECTION });
    const answers = text.split('HTTP/1.1 ').slice(1);
    expect(answers.length).toBe(CONNECTION);
    for (const [place, { status, says }] of sent.entries()) {
      expect(answers[place]?.slice(0, 3)).toBe(status);
      expect(answers[place]).toContain(says);
    }
  }
});
