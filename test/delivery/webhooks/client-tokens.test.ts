import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ClientTokens } from '../../../src/delivery/webhooks/channel/client-tokens.ts';
import { OutboundGuard } from '../../../src/platform/index.ts';
import { Receiver } from './receiver.ts';

const guard = new OutboundGuard(true);
const now = 1_800_000_000_000;
let server: Receiver;
let answer: unknown;
let status: number;

beforeAll(async () => {
  server = await Receiver.open();
  server.answer = (_, response) => {
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
});
beforeEach(() => {
  server.received.length = 0;
  status = 200;
  answer = { access_token: 't1', token_type: 'bearer', expires_in: 600 };
});
afterAll(() => server.close());

const credentials = () => ({ tokenUrl: `${server.url}/token`, clientId: 'c', clientSecret: 's' });

test('a token is asked for once until shortly before its end, also by several at once', async () => {
  const tokens = new ClientTokens();
  const get = (at: number) => tokens.get(guard, 'one', credentials(), at);
  expect(await Promise.all([get(now), get(now), get(now)])).toEqual(['t1', 't1', 't1']);
  answer = { access_token: 't2', token_type: 'Bearer' };
  expect(await get(now + 550_000)).toBe('t1');
  expect(server.received).toHaveLength(1);
  expect(await get(now + 560_000)).toBe('t2');
  expect(await tokens.get(guard, 'other', credentials(), now)).toBe('t2');
  expect(server.received).toHaveLength(3);
});

test('one that was refused is asked for anew', async () => {
  const tokens = new ClientTokens();
  await tokens.get(guard, 'one', credentials(), now);
  answer = { access_token: 't2', token_type: 'bearer' };
  tokens.forget('one');
  expect(await tokens.get(guard, 'one', credentials(), now)).toBe('t2');
});

test.each<{ name: string; answer: unknown; status?: number }>([
  { name: 'another status', answer: { error: 'invalid_client' }, status: 401 },
  { name: 'no JSON', answer: '<html>' },
  { name: 'no token', answer: { token_type: 'bearer' } },
  { name: 'a token of another type', answer: { access_token: 't', token_type: 'dpop' } },
  { name: 'a token that would split the header', answer: { access_token: 't\r\nx: y', token_type: 'bearer' } },
])('$name is a failure, and the next attempt asks again', async (bad) => {
  const tokens = new ClientTokens();
  answer = bad.answer;
  status = bad.status ?? 200;
  await expect(tokens.get(guard, 'one', credentials(), now)).rejects.toMatchObject({ code: 'failed' });
  status = 200;
  answer = { access_token: 't1', token_type: 'bearer' };
  expect(await tokens.get(guard, 'one', credentials(), now)).toBe('t1');
});
