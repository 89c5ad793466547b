import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/http/index.ts';
import { type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';
import { addressOf, inFamily } from './addresses.ts';

/** Who holds it holds all others. */
const everything = 'settings.manage';

/** What the table says of an endpoint: `permission users.read`. The walks below follow it, and not the code. */
const table = new Map(
  readFileSync(new URL('access.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): [string, string] => [line.replace(/: [^:]*$/, ''), line.replace(/^.*: /, '')]),
);
const permissions = [
  ...new Set([...table.values()].flatMap((access) => /^permission (\S+)$/.exec(access)?.slice(1) ?? [])),
];

let service: InProcessService;
let organization: InProcessOrganization;

beforeAll(async () => {
  service = await InProcessService.start({
    RELATA_LIMIT_RATE_REFUSED: '0',
    RELATA_LIMIT_RATE_EXPENSIVE: '0',
  });
  organization = await service.organization('access');
});
afterAll(() => service.stop());

const nameOf = ({ method, path }: Endpoint) => `${method} ${inFamily(path)}`;

/** Asks without an input, so that who gets through changes nothing. */
async function statusOf(endpoint: Endpoint, key: string): Promise<number> {
  const { method } = endpoint;
  const controller = new AbortController();
  const response = await fetch(service.url + addressOf(endpoint, organization.organization.slug), {
    method,
    headers: { authorization: `Bearer ${key}` },
    signal: controller.signal,
  });
  // one of them never ends
  controller.abort();
  return response.status;
}

/** The endpoints of a permission, and what a key gets from each that is not as it should be. */
async function walk(permission: string, key: string, isRight: (status: number) => boolean): Promise<string[]> {
  const wrong: string[] = [];
  const walked = service.endpoints.filter((endpoint) => table.get(nameOf(endpoint)) === `permission ${permission}`);
  expect(walked).not.toEqual([]);
  for (const endpoint of walked) {
    const status = await statusOf(endpoint, key);
    if (!isRight(status)) wrong.push(`${endpoint.method} ${endpoint.path}: ${status}`);
  }
  return wrong;
}

function accessText(access: Endpoint['access']): string {
  if (typeof access === 'string') return access;
  if ('resource' in access) return `resource ${access.resource}`;
  return 'scope' in access ? `scope ${access.scope}` : `permission ${access.permission}`;
}

/** For tokens of people, or for agents alone: any other caller is told so. */
const forSome = (endpoint: Endpoint): boolean =>
  /\/api\/v1\/(?:delegations|agents\/me|jit)(?:\/|$)/.test(endpoint.path);

describe('who may call an endpoint', () => {
  test('access.txt', async () => {
    const lines = service.endpoints.map((endpoint) => {
      const { access } = endpoint;
      return `${nameOf(endpoint)}: ${accessText(access)}`;
    });
    await expect(`${[...new Set(lines)].toSorted().join('\n')}\n`).toMatchFileSnapshot('access.txt');
    // both families ask for the same
    expect(new Set(lines.map((line) => line.replace(/: [^:]*$/, ''))).size).toBe(new Set(lines).size);
  });

  test.each(permissions)('nobody without %s, even with every other permission', async (permission) => {
    const others = permissions.filter((other) => other !== permission && other !== everything);
    const key = await organization.newKey(...others);
    expect(await walk(permission, key, (status) => status === 403)).toEqual([]);
  });

  test.each(permissions)('who has nothing but %s gets through', async (permission) => {
    const key = await organization.newKey(permission);
    expect(await walk(permission, key, (status) => status !== 401 && status !== 403)).toEqual([]);
  });

  test('what any caller may ask needs no permission, and what is for others no key opens', async () => {
    const key = await organization.newKey();
    const wrong: string[] = [];
    for (const endpoint of service.endpoints) {
      const access = table.get(nameOf(endpoint));
      if (access === undefined || access === 'public' || access.startsWith('permission ')) continue;
      if (forSome(endpoint)) continue;
      const status = await statusOf(endpoint, key);
      const isIn = status !== 401 && status !== 403;
      if (isIn !== isForAll(access)) wrong.push(`${nameOf(endpoint)}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });
});

/** What is a resource of its own takes tokens for itself beside those for all. */
function isForAll(access: string): boolean {
  return access === 'authenticated' || access.startsWith('resource ');
}
