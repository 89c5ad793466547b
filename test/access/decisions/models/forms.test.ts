import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../../../identity/sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`forms-${++count}`);
});
afterAll(() => service.stop());

const dsl = `model
  schema 1.1
type user
type employee
type group
  relations
    define owner: [user]
    define member: [employee] or owner
type role
  relations
    define assignee: [user, group#member]
type doc
  relations
    define viewer: [user, group#member]
`;

const openFga = {
  schema_version: '1.1',
  type_definitions: [
    { type: 'user' },
    {
      type: 'doc',
      relations: { viewer: { this: {} } },
      metadata: { relations: { viewer: { directly_related_user_types: [{ type: 'user' }] } } },
    },
  ],
};

const text = { 'content-type': 'text/plain; charset=utf-8' };
type Family = 'org' | 'tenant';
const families: readonly Family[] = ['org', 'tenant'];

describe.each(families)('in the %s family a model is sent', (family) => {
  const send = (body: unknown, headers = {}, query = '') =>
    org[family]('POST', `/zanzibar/models${query}`, { body, headers });

  test('as plain text', async () => {
    const written = await send(dsl, text);
    expect(written).toMatchObject({ status: 201 });
    const path = `/zanzibar/models/${written.text('id')}`;
    expect(await org[family]('GET', path)).toMatchObject({ body: { dsl } });
    // and is read in the same way
    const read = await org[family]('GET', path, { headers: { accept: 'text/plain' } });
    expect({ status: read.status, body: read.body }).toEqual({ status: 200, body: dsl });
    expect(read.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await send(dsl, { 'content-type': 'text/html' })).toMatchObject({ status: 415 });
    expect(await send('', text)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', title: 'The request is invalid', detail: 'The body is empty.' },
    });
    expect(await send(dsl, { 'content-type': 'text/plain; charset=latin1' })).toMatchObject({ status: 415 });
    const broken = await send('model\n  schema 1.1\ntype doc\n  relations\n    define viewer: [persn]\n', text);
    expect(broken).toMatchObject({
      status: 400,
      body: { detail: 'line 5, column 21: the type `persn` does not exist', errors: [{ path: 'dsl:5:21' }] },
    });
    const later = await send(dsl.replace('schema 1.1', 'schema 3.0'), text);
    const detail = 'line 2, column 10: schema 3.0 is not supported; write 1.1 or 1.2';
    expect(later).toMatchObject({ status: 400, body: { detail, errors: [{ path: 'dsl:2:10' }] } });
  });

  test("as OpenFGA's JSON, which is kept as text", async () => {
    const written = await send({ ...openFga, id: '01HVMMBCMGZNT3SED4Z17ECXCA' });
    expect(written).toMatchObject({ status: 201, body: { warnings: [{ path: 'type_definitions[0]', type: 'user' }] } });
    const kept = 'model\n  schema 1.1\ntype user\ntype doc\n  relations\n    define viewer: [user]\n';
    const read = await org[family]('GET', `/zanzibar/models/${written.text('id')}`);
    expect(read).toMatchObject({ status: 200, body: { dsl: kept } });
    const writes = ['doc:1#viewer@user:anne'];
    expect((await org[family]('POST', '/zanzibar/tuples', { body: { writes } })).status).toBe(200);
  });

  test('as JSON whose faults are told with their places in it', async () => {
    const unknown = structuredClone(openFga);
    const relations = unknown.type_definitions[1]?.metadata?.relations;
    if (relations !== undefined) relations.viewer.directly_related_user_types = [{ type: 'persn' }];
    const path = 'type_definitions[1].relations.viewer';
    const detail = `${path}: the type \`persn\` does not exist`;
    expect(await send(unknown)).toMatchObject({
      status: 400,
      body: { code: 'invalid_model', detail, errors: [{ path }] },
    });
    expect(await send({ ...openFga, schema_version: '0.9' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_model', errors: [{ path: 'schema_version' }] },
    });
    expect(await send({ ...openFga, dsl })).toMatchObject({ status: 400 });
  });
});

describe('warnings', () => {
  const warningsOf = async (query: string, status: number) => {
    const answer = await org.tenant('POST', `/zanzibar/models${query}`, { body: { dsl } });
    expect(answer.status).toBe(status);
    return answer.at('warnings') as { path: string; type: string; relation?: string; message: string }[];
  };

  test('name what a model shares with the system, and what was added; a dry run says the same', async () => {
    const dry = await warningsOf('?dryRun=true', 200);
    expect(dry.map(({ path, type, relation }) => [path, type, relation])).toEqual([
      ['dsl:3:6', 'user', undefined],
      ['dsl:5:6', 'group', undefined],
      ['dsl:8:12', 'group', 'member'],
      ['dsl:9:6', 'role', undefined],
      ['dsl:11:12', 'role', 'assignee'],
    ]);
    expect(await warningsOf('', 201)).toEqual(dry);
    const [, group, member] = dry;
    expect(group?.message).toContain('groups.create');
    expect(member?.message).toContain('It also accepts user, agent');
    expect(member?.message).toContain('employee is accepted as the model says');
  });

  test('of a relation that the model left out say that it was added', async () => {
    const own = 'model\n  schema 1.1\ntype group\n  relations\n    define owner: [user]\n';
    const answer = await org.tenant('POST', '/zanzibar/models', { body: { dsl: own } });
    expect(answer.text('warnings.0.message')).toContain('did not define `member`');
  });

  test('what was added is accepted, as they say, and so is what the system has not', async () => {
    await warningsOf('', 201);
    const writes = ['group:a#member@user:anne', 'group:a#member@employee:e1', 'doc:1#viewer@group:a#member'];
    expect((await org.tenant('POST', '/zanzibar/tuples', { body: { writes } })).status).toBe(200);
    for (const subject of ['user:anne', 'employee:e1']) {
      const body = { object: 'doc:1', relation: 'viewer', subject };
      expect((await org.tenant('POST', '/zanzibar/check', { body })).at('allowed')).toBe(true);
    }
    const other = ['group:a#member@doc:1'];
    expect((await org.tenant('POST', '/zanzibar/tuples', { body: { writes: other } })).status).toBe(400);
  });

  test('say that a parameter `now` is the clock of the server, which no question sets', async () => {
    const own = `model
  schema 1.1
type user
type doc
  relations
    define viewer: [user with early]
condition late(at: timestamp) {
  at > timestamp("2000-01-01T00:00:00Z")
}
condition early(now: timestamp) {
  now < timestamp("2000-01-01T00:00:00Z")
}
`;
    const answer = await org.tenant('POST', '/zanzibar/models', { body: { dsl: own } });
    expect(answer).toMatchObject({ status: 201, body: { warnings: [{ type: 'user' }, { condition: 'early' }] } });
    expect(answer.text('warnings.1.path')).toBe('dsl:10:11');
    const context = { now: '1999-01-01T00:00:00Z' };
    const tuple = { object: 'doc:1', relation: 'viewer', subject: 'user:beth' };
    const writes = [{ ...tuple, condition: { name: 'early' } }];
    expect((await org.tenant('POST', '/zanzibar/tuples', { body: { writes } })).status).toBe(200);
    const asked = await org.tenant('POST', '/zanzibar/check', { body: { ...tuple, context } });
    expect(asked.body).toMatchObject({ allowed: false });
    const wrong = own.replace('now: timestamp', 'now: string').replace(/now < .*/, 'now < "a"');
    const refused = await org.tenant('POST', '/zanzibar/models', { body: { dsl: wrong } });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'dsl:10:11' }] } });
  });

  test('there are none where nothing is shared', async () => {
    const own = 'model\n  schema 1.1\ntype doc\n  relations\n    define viewer: [user]\n';
    const answer = await org.tenant('POST', '/zanzibar/models', { body: { dsl: own } });
    expect(answer).toMatchObject({ status: 201, body: { warnings: [] } });
  });
});
