import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Organization, RunningService } from '../server/running-service.ts';
import { otherRequests } from './other-requests.ts';
import { checkRequests, type Malformed } from './requests.ts';

const table: readonly Malformed[] = [...checkRequests, ...otherRequests];

let service: RunningService;
let org: Organization;
let before: string;

beforeAll(async () => {
  service = await RunningService.start();
  org = await service.organization('acme');
  await org.model(
    'type team',
    '  relations',
    '    define member: [user]',
    'type doc',
    '  relations',
    '    define viewer: [user, team#member, user with cleared]',
    '    define can_read: viewer',
    'condition cleared(level: int) {',
    '  level > 3',
    '}',
  );
  await org.write('doc:1#viewer@user:anne', {
    object: 'doc:cond',
    relation: 'viewer',
    subject: 'user:anne',
    condition: { name: 'cleared' },
  });
  before = await whenQuiet();
});
afterAll(() => service.remove());

/** The revision and the tuples. */
async function state(): Promise<string> {
  const { body } = await org.call('GET', '/zanzibar/tuples?limit=1000');
  return JSON.stringify(body);
}

/** The state once the time of the key's last use, which is written at most once a minute, is written. */
async function whenQuiet(): Promise<string> {
  for (;;) {
    const keys = await org.call('GET', '/admin/api-keys');
    if (keys.at('data.0.lastUsedAt') !== null) return state();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

test('the table is as long as it should be, and tells each request once', () => {
  expect(table.length).toBeGreaterThanOrEqual(150);
  expect(new Set(table.map(({ name }) => name)).size).toBe(table.length);
});

test.each(table)('$name', async ({ method = 'POST', path, body, raw, headers, status, code, at }) => {
  const { contentType, ...rest } = headersOf(headers);
  const response = await fetch(`${service.url}/t/acme/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${org.key}`, ...contentType, ...rest },
    ...(raw === undefined ? {} : { body: raw as string }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const problem = (await response.json()) as {
    code: string;
    status: number;
    title: string;
    detail: string;
    errors?: { path: string }[];
  };
  expect({ status: response.status, code: problem.code }).toEqual({ status, code });
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(problem.status).toBe(status);
  expect(problem.detail).not.toBe(problem.title);
  if (at !== undefined) expect(problem.errors?.[0]?.path).toBe(at);
  if (at !== undefined && at !== '') expect(problem.detail).toContain(at);
});

function headersOf(headers: Readonly<Record<string, string>> = {}) {
  const { 'content-type': given, ...rest } = headers;
  if (given === '') return { contentType: { 'content-type': 'text/plain' }, ...rest };
  return { contentType: { 'content-type': given ?? 'application/json' }, ...rest };
}

test('nothing of it changed the store, and the service still answers', async () => {
  expect(await state()).toBe(before);
  expect((await service.call('GET', '/readyz')).status).toBe(200);
  const metrics = String((await service.call('GET', '/metrics')).body);
  const failures = [...metrics.matchAll(/^relata_http_requests_total\{.*status="5xx"\} (\d+)$/gm)].map((each) =>
    Number(each[1]),
  );
  expect(failures.reduce((sum, each) => sum + each, 0)).toBe(0);
});
