import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../../server/running-service.ts';
import { group, user } from './organization.ts';

let service: InProcessService;
let org: InProcessOrganization;
let token: string;
/** Three users. */
let ids: readonly string[];
let path: string;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`at-once-${++count}`);
  const settings = { enabled: true, provisioning: { delete_users: true } };
  expect((await org.org('PATCH', '/admin/settings/scim', { body: settings })).status).toBe(200);
  const made = await org.org('POST', '/admin/settings/scim/tokens', { body: { name: 'directory' } });
  token = made.text('data.data.token');
  const people = ['ada', 'bob', 'eve'].map((name) => org.newUser(`${name}@people.example`));
  ids = (await Promise.all(people)).map(({ id }) => id);
  path = `/Groups/${(await send('POST', '/Groups', group('Sales', member(0)))).text('id')}`;
});
afterAll(() => service.stop());

const member = (number: number): string => ids[number] as string;

function send(method: string, at: string, body?: unknown, ifMatch?: string): Promise<Answer> {
  return service.call(method, `/orgs/${org.organization.slug}/scim2.0${at}`, {
    key: token,
    body,
    headers: { 'content-type': 'application/scim+json', ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) },
  });
}

const patchOf = (...Operations: object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
const adding = (number: number) => patchOf({ op: 'add', path: 'members', value: [{ value: member(number) }] });

/** By their numbers, in order. */
async function members(): Promise<number[]> {
  const shown = (await send('GET', path)).at('members') as { readonly value: string }[] | undefined;
  return (shown ?? []).map(({ value }) => ids.indexOf(value)).toSorted();
}

const versionOf = async (at: string): Promise<string> => (await send('GET', at)).text('meta.version');

/** A request while another one is made between its plan and its commit: the statuses of both, the other one's first. */
async function atOnce(first: () => Promise<Answer>, second: () => Promise<Answer>): Promise<number[]> {
  let between = 0;
  service.beforeNextCommit(async () => {
    between = (await first()).status;
  });
  const { status } = await second();
  return [between, status];
}

describe('two changes of a group at once end as one after the other', () => {
  test('two lists: the group has the second', async () => {
    const put = (...of: number[]) => send('PUT', path, group('Sales', ...of.map(member)));
    expect(
      await atOnce(
        () => put(0, 1),
        () => put(0, 2),
      ),
    ).toEqual([200, 200]);
    expect(await members()).toEqual([0, 2]);
  });

  test('a list, and what is added or removed before', async () => {
    const put = () => send('PUT', path, group('Sales', member(0), member(2)));
    expect(await atOnce(() => send('PATCH', path, adding(1)), put)).toEqual([204, 200]);
    expect(await members()).toEqual([0, 2]);
    expect((await send('PUT', path, group('Sales', member(0)))).status).toBe(200);
    const removing = patchOf({ op: 'remove', path: `members[value eq "${member(0)}"]` });
    expect(await atOnce(() => send('PATCH', path, removing), put)).toEqual([204, 200]);
    expect(await members()).toEqual([0, 2]);
  });

  test('all are removed, also who comes meanwhile', async () => {
    const removing = () => send('PATCH', path, patchOf({ op: 'remove', path: 'members' }));
    expect(await atOnce(() => send('PATCH', path, adding(1)), removing)).toEqual([204, 204]);
    expect(await members()).toEqual([]);
  });

  test('who is added at once by two is added', async () => {
    const add = (number: number) => () => send('PATCH', path, adding(number));
    expect(await atOnce(add(1), add(2))).toEqual([204, 204]);
    expect(await members()).toEqual([0, 1, 2]);
  });

  test('a new name stays beside new members', async () => {
    const naming = patchOf({ op: 'replace', path: 'displayName', value: 'Sales and more' });
    const add = () => send('PATCH', path, adding(1));
    expect(await atOnce(() => send('PATCH', path, naming), add)).toEqual([204, 204]);
    expect([(await send('GET', path)).at('displayName'), await members()]).toEqual(['Sales and more', [0, 1]]);
  });
});

describe('of two changes of one version at once, the second is refused', () => {
  const changes: [what: string, change: (ifMatch: string) => Promise<Answer>][] = [
    ['a member more', (version) => send('PATCH', path, adding(2), version)],
    ['a member less', (version) => send('PATCH', path, patchOf({ op: 'remove', path: 'members' }), version)],
    ['a list', (version) => send('PUT', path, group('Sales', member(2)), version)],
    ['a name', (version) => send('PUT', path, group('Marketing', member(0)), version)],
    ['an end', (version) => send('DELETE', path, undefined, version)],
  ];

  test.each(changes)('of a group, by %s', async (_, change) => {
    const version = await versionOf(path);
    const first = () => send('PATCH', path, adding(1), version);
    expect(await atOnce(first, () => change(version))).toEqual([204, 412]);
    expect(await members()).toEqual([0, 1]);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('of a user, by %s', async (method) => {
    const one = `/Users/${(await send('POST', '/Users', user('kim'))).text('id')}`;
    const version = await versionOf(one);
    const bodies: Readonly<Record<string, object>> = {
      PUT: user('kim', { title: 'second' }),
      PATCH: patchOf({ op: 'replace', path: 'title', value: 'second' }),
    };
    const first = () => send('PUT', one, user('kim', { title: 'first' }), version);
    expect(await atOnce(first, () => send(method, one, bodies[method], version))).toEqual([200, 412]);
    expect((await send('GET', one)).at('title')).toBe('first');
  });
});

test('what changes no member changes nothing of the group', async () => {
  const before = (await send('GET', path)).body;
  service.clock.advance(1000);
  const revision = service.revision();
  expect((await send('PATCH', path, adding(0))).status).toBe(204);
  expect((await send('PUT', path, group('Sales', member(0)))).status).toBe(200);
  expect([(await send('GET', path)).body, service.revision()]).toEqual([before, revision]);
});
