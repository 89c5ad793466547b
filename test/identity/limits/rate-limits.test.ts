import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../server/running-service.ts';
import { type InProcessOrganization, InProcessService } from '../sessions/in-process-service.ts';

const proxy = { RELATA_TRUSTED_PROXIES: '127.0.0.1' };
const from = (address: string) => ({ 'x-forwarded-for': address });
const rate = ({ headers }: Answer) => ({
  limit: headers.get('ratelimit-limit'),
  remaining: headers.get('ratelimit-remaining'),
  reset: headers.get('ratelimit-reset'),
  retryAfter: headers.get('retry-after'),
});
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status);

async function times(count: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < count; i++) answers.push(await ask());
  return answers;
}

describe('with limits', () => {
  let service: InProcessService;
  let org: InProcessOrganization;

  beforeAll(async () => {
    service = await InProcessService.start({
      ...proxy,
      RELATA_LIMIT_RATE_ORDINARY: '5',
      RELATA_LIMIT_RATE_EXPENSIVE: '2',
      RELATA_LIMIT_RATE_DECISIONS: '3',
      RELATA_LIMIT_RATE_PUBLIC: '4',
    });
    org = await service.organization('limited');
  });
  afterAll(() => service.stop());

  test('a credential has so many requests a minute, and the answers say how many are left', async () => {
    service.clock.advance(60_000);
    service.clock.advance(1_500);
    const answers = await times(6, () => org.org('GET', '/admin/sessions'));
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers.map((each) => rate(each).remaining)).toEqual(['4', '3', '2', '1', '0', '0']);
    expect(rate(answers[0] as Answer)).toEqual({ limit: '5', remaining: '4', reset: '59', retryAfter: null });
    expect(rate(answers[5] as Answer)).toEqual({ limit: '5', remaining: '0', reset: '59', retryAfter: '59' });
    expect(answers[5]?.body).toMatchObject({ code: 'rate_limited', status: 429, title: 'Too many requests' });
    expect(answers[5]?.headers.get('content-type')).toBe('application/problem+json');
    // in the other family it is the same credential
    expect((await org.tenant('GET', '/admin/sessions')).status).toBe(429);
    service.clock.advance(58_500);
    expect((await org.org('GET', '/admin/sessions')).status).toBe(200);
  });

  test('another credential, and another organization, have their own', async () => {
    service.clock.advance(60_000);
    const other = await service.organization('neighbour');
    const key = await org.newKey('sessions.read');
    await times(5, () => org.org('GET', '/admin/sessions'));
    expect((await org.org('GET', '/admin/sessions')).status).toBe(429);
    expect((await org.org('GET', '/admin/sessions', { key })).status).toBe(200);
    expect((await other.org('GET', '/admin/sessions')).status).toBe(200);
  });

  test('refusals and faults count and carry the headers too', async () => {
    service.clock.advance(60_000);
    const key = await org.newKey();
    const ask = [
      () => org.org('GET', '/admin/sessions', { key }),
      () => org.org('GET', '/admin/sessions?limit=0', { key }),
      () => org.org('DELETE', '/admin/sessions/x', { key }),
    ];
    for (const [place, each] of ask.entries()) {
      expect(rate(await each())).toMatchObject({ limit: '5', remaining: String(4 - place) });
    }
  });

  test('decisions have an allowance of their own', async () => {
    service.clock.advance(60_000);
    const ask = () => org.tenant('POST', '/authz/check', { body: { permission: 'doc:read', subject: 'user:x' } });
    expect(statuses(await times(4, ask))).toEqual([200, 200, 200, 429]);
    expect((await org.org('GET', '/admin/sessions')).status).toBe(200);
  });

  test('what is expensive has one of its own', async () => {
    service.clock.advance(60_000);
    const ask = () => org.org('POST', '/admin/sessions/revoke-all', { body: { confirm: true } });
    expect(statuses(await times(3, ask))).toEqual([200, 200, 429]);
  });

  test('without a credential the address is counted, an IPv6 network of 64 bits as one', async () => {
    service.clock.advance(60_000);
    const ask = (address: string) => service.call('GET', '/openapi.json', { headers: from(address) });
    expect(statuses(await times(5, () => ask('198.51.100.1')))).toEqual([200, 200, 200, 200, 429]);
    expect((await ask('198.51.100.2')).status).toBe(200);
    const network = ['2001:db8::1', '2001:db8::2', '2001:db8::ffff:1', '2001:db8:0:0:9::', '2001:db8::3'];
    const answers: Answer[] = [];
    for (const address of network) answers.push(await ask(address));
    expect(statuses(answers)).toEqual([200, 200, 200, 200, 429]);
    expect((await ask('2001:db8:0:1::1')).status).toBe(200);
  });

  test('probes are never limited', async () => {
    const answers = await times(20, () => service.call('GET', '/healthz'));
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    expect(rate(answers[0] as Answer).limit).toBeNull();
  });
});

describe('by default', () => {
  let service: InProcessService;
  let org: InProcessOrganization;

  beforeAll(async () => {
    service = await InProcessService.start();
    org = await service.organization('usual');
  });
  afterAll(() => service.stop());

  test('decisions are not counted at all', async () => {
    const answer = await org.tenant('POST', '/authz/check', { body: { permission: 'doc:read', subject: 'user:x' } });
    expect(rate(answer)).toEqual({ limit: null, remaining: null, reset: null, retryAfter: null });
  });

  test('everything else has a wide allowance', async () => {
    expect(rate(await org.org('GET', '/admin/sessions'))).toMatchObject({ limit: '600000', remaining: '599999' });
    const all = await org.org('POST', '/admin/sessions/revoke-all', { body: { confirm: true } });
    expect(rate(all)).toMatchObject({ limit: '600' });
  });
});

describe('guessing credentials', () => {
  let service: InProcessService;
  let org: InProcessOrganization;

  beforeAll(async () => {
    service = await InProcessService.start({ ...proxy, RELATA_LIMIT_RATE_REFUSED: '5' });
    org = await service.organization('guarded');
  });
  afterAll(() => service.stop());

  const ask = (key: string, address: string) => org.org('GET', '/admin/sessions', { key, headers: from(address) });

  test('from one address is slowed down: then even a right guess is refused', async () => {
    service.clock.advance(60_000);
    const unused = await org.newKey('sessions.read');
    const guesses = await times(7, () => ask(`${org.key}x`, '203.0.113.1'));
    expect(statuses(guesses)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(rate(guesses[6] as Answer).retryAfter).toBe('60');
    expect(guesses[6]?.body).toMatchObject({ code: 'rate_limited' });
    expect((await ask(unused, '203.0.113.1')).status).toBe(429);
    expect((await ask(unused, '203.0.113.2')).status).toBe(200);
    service.clock.advance(60_000);
    expect((await ask(`${org.key}x`, '203.0.113.1')).status).toBe(401);
  });

  test('does not stop a service whose key has been good, from the same address', async () => {
    service.clock.advance(60_000);
    const key = await org.newKey('sessions.read');
    expect((await ask(key, '203.0.113.9')).status).toBe(200);
    await times(10, () => ask('rlt_admin_0000000000000000000000000000000', '203.0.113.9'));
    expect((await ask(key, '203.0.113.9')).status).toBe(200);
    // one that is good no longer is looked up still, and refused
    const keys = (await org.org('GET', '/admin/api-keys?limit=100')).list('data.data') as {
      id: string;
      tail: string;
    }[];
    const own = keys.find(({ tail }) => key.endsWith(tail));
    expect((await org.org('DELETE', `/admin/api-keys/${own?.id}`)).status).toBe(204);
    expect((await ask(key, '203.0.113.9')).status).toBe(401);
  });

  test('requests without a credential are no guesses', async () => {
    service.clock.advance(60_000);
    const path = '/orgs/guarded/api/v1/admin/sessions';
    const answers = await times(10, () => service.call('GET', path, { headers: from('203.0.113.3') }));
    expect(new Set(statuses(answers))).toEqual(new Set([401]));
    expect((await ask('wrong', '203.0.113.3')).status).toBe(401);
  });
});
