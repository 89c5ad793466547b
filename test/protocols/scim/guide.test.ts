import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { deviations } from '../../../src/protocols/scim/patch/deviations.ts';
import { operationsOf } from '../../operations/operations.ts';
import type { Organization, Service } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';

const guide = readFileSync(new URL('../../../src/docs/scim.md', import.meta.url), 'utf8');

let service: Service;
let org: Organization;
let token: string;

beforeAll(async () => {
  service = await sharedService();
  org = await service.organization('scim-guide');
});

/** The commands of the guide, of which each block has at most one. */
const commands = [...guide.matchAll(/^ *```sh\n([^`]*)```/gm)]
  .map(([, block = '']) => block)
  .filter((block) => block.includes('curl '));

function requestOf(command: string) {
  const body = /-d '([^']*)'/.exec(command)?.[1];
  const address = /curl .*?((?:\$ADMIN|https:\/\/relata\.example)[^\s']*)/.exec(command)?.[1] ?? '';
  return {
    method: /-X (\w+)/.exec(command)?.[1] ?? (body === undefined ? 'GET' : 'POST'),
    path: address.replace('$ADMIN', '/orgs/acme/api/v1/admin').replace('https://relata.example', ''),
    key: command.includes('rlt_scim_') ? token : org.key,
    body: body === undefined ? undefined : (JSON.parse(body) as unknown),
  };
}

describe('the guide to SCIM', () => {
  test('has commands that do what it says, in their order', async () => {
    expect(commands).toHaveLength(6);
    const answers = [];
    for (const command of commands) {
      const { method, path, key, body } = requestOf(command);
      const answer = await service.call(method, path.replace('/orgs/acme/', `/orgs/${org.slug}/`), { key, body });
      expect({ command, status: answer.status, body: answer.status < 300 ? {} : answer.body }).toMatchObject({
        status: expect.toSatisfy((status: number) => status < 300),
      });
      if (answer.at('data.data.token') !== undefined) token = answer.text('data.data.token');
      answers.push(answer);
    }
    const [settings, made, list, client, workload, tried] = answers;
    expect(settings?.text('data.data.base_url')).toMatch(new RegExp(`/orgs/${org.slug}/scim2\\.0$`));
    expect(made?.text('data.data.token')).toMatch(/^rlt_scim_/);
    expect(list?.body).toMatchObject({ totalResults: 0 });
    expect(client?.at('data.data')).toMatchObject({ clientId: expect.any(String), clientSecret: expect.any(String) });
    expect(workload?.at('data.data')).toMatchObject({ clientSecret: null });
    expect(tried?.at('data.data')).toMatchObject({ status: 201, changes: [{ action: 'create' }] });
  });

  test('names requests that there are', async () => {
    const known = new Set(
      operationsOf((await service.call('GET', '/openapi.json')).body as never).map(({ name }) => name),
    );
    const named = [...guide.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/admin[^`\s]*)`/g)].map(
      ([, method, path = '']) => `${method} ${path}`,
    );
    const all = [
      ...named,
      ...[...guide.matchAll(/`GET` and `PATCH (\/admin[^`]*)`/g)].map(([, path]) => `GET ${path}`),
    ];
    expect(all.length).toBeGreaterThan(7);
    const placed = (name: string) => name.replace('{id}', '{tokenId}');
    expect(all.filter((name) => !known.has(placed(name)))).toEqual([]);
  });

  test('names every setting, with what it is at first', async () => {
    const other = await service.organization('scim-guide-settings');
    const answer = await other.call('GET', '/admin/settings/scim');
    const { provisioning, ...settings } = answer.at('data') as Record<string, unknown>;
    const flags = Object.entries(provisioning as object).map(([name, value]) => [`provisioning.${name}`, value]);
    const rows = [...guide.matchAll(/^\| `([\w.]+)` +\| (?:`(\w+)`)? +\|/gm)].map(([, name, value = '']) => [
      name,
      value,
    ]);
    for (const [name, value] of [...Object.entries(settings), ...flags]) {
      if (name === 'base_url' || name === 'bearer_token_set') continue;
      expect(rows).toContainEqual([name, String(value)]);
    }
  });

  test('names what a user needs', async () => {
    const whole = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: 'ada',
      name: { familyName: 'Lovelace' },
      emails: [{ value: 'ada@acme.example' }],
    };
    const tried = async (body: object) =>
      (await org.post('/admin/scim/validate', { method: 'POST', path: '/Users', body })).at('data') as {
        status: number;
        response: { detail: string };
      };
    expect((await tried(whole)).status).toBe(201);
    for (const name of ['userName', 'name', 'emails'] as const) {
      const { [name]: _, ...rest } = whole;
      const { status, response } = await tried(rest);
      expect({ status, detail: response.detail }).toEqual({ status: 400, detail: expect.stringMatching(`^${name}`) });
    }
  });

  test.each(deviations)('lists where the service is not as the RFC says: $name', ({ name, section, says, reason }) => {
    const row = guide.split('\n').find((line) => line.startsWith(`| ${name} `));
    for (const part of [section, says, reason]) expect(row).toContain(part);
  });
});
