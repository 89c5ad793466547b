import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AGENTS_MAX, agentRecords, mintAgentKey } from '../../../src/directory/records/index.ts';
import { InProcessService } from '../../identity/sessions/in-process-service.ts';
import { expectRefusals, families, InFamily, time, uuid } from '../../server/in-family.ts';
import type { Organization } from '../../server/running-service.ts';
import { AgentScene } from './scene.ts';

let service: InProcessService;
let scene: AgentScene;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_LIMIT_RATE_REFUSED: '0' });
});
beforeEach(async () => {
  scene = await AgentScene.at(service, `agents${++count}`);
});
afterAll(() => service.stop());

const view = {
  id: uuid,
  name: 'Builder',
  description: null,
  type: 'service',
  roles: [],
  permissions: [],
  isActive: true,
  allowedIps: null,
  ownerId: null,
  subject: expect.stringMatching(/^agent:/),
  tail: expect.stringMatching(/^\w{4}$/),
  jwks: null,
  jwksUri: null,
  federatedCredentials: [],
  createdAt: time,
  createdBy: expect.stringMatching(/^api_key:/),
  updatedAt: time,
  keyRotatedAt: null,
  lastUsedAt: null,
};
const apiKey = expect.stringMatching(/^rlt_agent_[0-9A-Za-z]{27,}$/);

/** The same administration as of a service in a process of its own. */
function inFamily(family: (typeof families)[number]): InFamily {
  const org = { service, slug: scene.slug, key: scene.org.key } as unknown as Organization;
  return new InFamily(org, family);
}

describe.each(families)('administrators of the %s family', (family) => {
  test('create, read, list, change and delete agents', async () => {
    const own = inFamily(family);
    const created = await own.call('POST', '/agents', { name: 'Builder' });
    expect([created.status, created.body]).toEqual([201, own.created({ ...view, apiKey })]);
    const { id } = own.inside(created) as { id: string };
    expect((await own.call('GET', `/agents/${id}`)).body).toEqual(own.single(view));
    expect((await own.call('GET', '/agents')).body).toEqual(own.list([view]));
    const changed = await own.call('PUT', `/agents/${id}`, { name: 'Reader', type: 'bot', description: 'Reads.' });
    expect(changed.body).toEqual(own.single({ ...view, name: 'Reader', type: 'bot', description: 'Reads.' }));
    expect((await own.call('PUT', `/agents/${id}`, { description: null })).body).toEqual(
      own.single({ ...view, name: 'Reader', type: 'bot' }),
    );
    expect((await own.call('DELETE', `/agents/${id}`)).status).toBe(204);
    for (const [method, path] of [
      ['GET', `/agents/${id}`],
      ['PUT', `/agents/${id}`],
      ['DELETE', `/agents/${id}`],
      ['POST', `/agents/${id}/rotate-key`],
    ] as const) {
      expect((await own.call(method, path, method === 'PUT' ? { name: 'X' } : undefined)).status).toBe(404);
    }
  });

  test('set everything at once, and see a key at creation and rotation alone', async () => {
    const own = inFamily(family);
    await own.make('POST', '/roles', { name: 'Editor', slug: 'editor' });
    const { id: ownerId } = await scene.org.newUser(`owner-${family}@agents.example`);
    const all = {
      name: 'Helper',
      type: 'ai_assistant',
      description: 'Line one\nline two',
      roles: ['editor'],
      permissions: ['users.read', 'roles.read'],
      allowedIps: ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7'],
      ownerId,
    };
    const made = await own.make<{ id: string; apiKey: string }>('POST', '/agents', all);
    expect(made).toMatchObject({ ...all, permissions: expect.arrayContaining(all.permissions), apiKey });
    const read = await own.make('GET', `/agents/${made.id}`);
    expect(JSON.stringify([read, (await own.call('GET', '/agents')).body])).not.toContain(made.apiKey);
    const rotated = await own.make<{ apiKey: string }>('POST', `/agents/${made.id}/rotate-key`);
    expect(rotated).toMatchObject({ id: made.id, apiKey, keyRotatedAt: time });
    expect(rotated.apiKey).not.toBe(made.apiKey);
    expect(await own.make('PUT', `/agents/${made.id}`, read)).toMatchObject({
      ...read,
      tail: rotated.apiKey.slice(-4),
      updatedAt: time,
      keyRotatedAt: time,
    });
  });

  test('search, filter and sort', async () => {
    const own = inFamily(family);
    const { id: ownerId } = await scene.org.newUser(`sorted-${family}@agents.example`);
    await own.make('POST', '/agents', { name: 'Beta', type: 'bot', ownerId });
    await own.make('POST', '/agents', { name: 'alpha', description: 'reads mail' });
    await own.make('POST', '/agents', { name: 'Gamma', isActive: false });
    const names = async (query: string) => {
      const inside = (await own.call('GET', `/agents?${query}`)).body as Record<string, unknown>;
      const data = (family === 'org' ? (inside.data as Record<string, unknown>).data : inside.data) as {
        name: string;
      }[];
      return data.map(({ name }) => name);
    };
    expect(await names('sortBy=name')).toEqual(['alpha', 'Beta', 'Gamma']);
    expect(await names('sortBy=name&sortOrder=desc')).toEqual(['Gamma', 'Beta', 'alpha']);
    expect(await names('search=MAIL')).toEqual(['alpha']);
    expect(await names('isActive=false')).toEqual(['Gamma']);
    expect(await names('type=bot')).toEqual(['Beta']);
    expect(await names(`ownerId=${ownerId}`)).toEqual(['Beta']);
    expect((await own.call('GET', '/agents?type=robot')).status).toBe(400);
  });

  test('are refused what cannot be, with field, rule and place', async () => {
    const own = inFamily(family);
    const jwks = { keys: [{ kty: 'EC', crv: 'P-256', x: 'no', y: 'key' }] };
    const address = 'https://a.example/jwks';
    await expectRefusals(
      (body) => own.call('POST', '/agents', { name: 'A', ...(body as object) }),
      [
        { name: 'no name', body: { name: '' }, path: 'name' },
        { name: 'a name with a line break', body: { name: 'a\nb' }, path: 'name' },
        { name: 'a type that is none', body: { type: 'robot' }, path: 'type' },
        { name: 'a role that is none', body: { roles: ['nobody'] }, path: 'roles[0]' },
        { name: 'a permission that is none', body: { permissions: ['users.read', 'x:y'] }, path: 'permissions[1]' },
        { name: 'no networks', body: { allowedIps: [] }, path: 'allowedIps' },
        {
          name: 'a network that is none',
          body: { allowedIps: ['192.0.2.0/24', '192.0.2.0/33'] },
          path: 'allowedIps[1]',
        },
        { name: 'a name in place of an address', body: { allowedIps: ['host.example'] }, path: 'allowedIps[0]' },
        { name: 'an address with a zone', body: { allowedIps: ['fe80::1%a b'] }, path: 'allowedIps[0]' },
        { name: 'many networks', body: { allowedIps: Array(101).fill('192.0.2.1') }, path: 'allowedIps' },
        { name: 'an owner who is none', body: { ownerId: 'nobody' }, path: 'ownerId' },
        { name: 'a key that is none', body: { jwks }, path: 'jwks.keys[0]' },
        { name: 'keys in the clear', body: { jwksUri: 'ftp://a.example/' }, path: 'jwksUri' },
        {
          name: 'one workload twice',
          body: { federatedCredentials: [workload(address), workload(address)] },
          path: 'federatedCredentials[1]',
        },
        { name: 'a field that it has not', body: { apiKey: 'mine' }, path: 'apiKey' },
      ],
    );
  });
});

function workload(jwksUri: string) {
  return { issuer: 'https://i.example', subject: 's', audience: 'a', jwksUri };
}

test('the last use of an agent is written, at most once a minute', async () => {
  const agent = await scene.make();
  const seen = async () => (await scene.admin('GET', `/agents/${agent.id}`)).at('data.lastUsedAt');
  const use = async () => {
    expect(await scene.status(agent.apiKey)).toBe(200);
    for (const flush of service.flushes) await flush(false);
    return seen();
  };
  expect(await seen()).toBe(null);
  const first = await use();
  expect(first).toEqual(time);
  service.clock.advance(30_000);
  expect(await use()).toBe(first);
  service.clock.advance(31_000);
  expect(Date.parse(String(await use()))).toBeGreaterThanOrEqual(Date.parse(String(first)) + 61_000);
});

test('an organization has 1,000 agents at most', async () => {
  const { store } = scene.org.organization;
  const { apiKey: _, ...first } = await scene.make();
  const document = service.read(() => agentRecords.get(store, first.id))?.document;
  if (document === undefined) throw new Error('the agent is gone');
  const more = Array.from({ length: AGENTS_MAX - 2 }, (_, number) =>
    agentRecords.put(store, `agent-${number}`, { ...document, ...mintAgentKey().kept, name: `Agent ${number}` }),
  );
  await service.submit(more);
  await scene.make({ name: 'the last one' });
  const refused = await scene.admin('POST', '/agents', { name: 'one too many' });
  expect([refused.status, refused.text('detail')]).toEqual([422, 'An organization can have 1000 agents.']);
});
