import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rightsIdOf } from '../../src/kernel/transactions/index.ts';
import type { InProcessOrganization, NewUser } from '../identity/sessions/in-process-service.ts';
import { ExchangeScene, exchange } from '../protocols/oauth/grants/exchange-scene.ts';
import { agreed } from '../protocols/oauth/grants/issuing.ts';
import { RelyingParty } from '../protocols/oauth/relying-party.ts';
import { submittedDuring } from './submitted.ts';

const right = 'groups.create';
const scopes = [right, 'roles.assign', 'tuples.write', 'settings.manage'];
let scene: ExchangeScene;
let org: InProcessOrganization;
let app: RelyingParty;
let agent: RelyingParty;
let count = 0;

beforeAll(async () => {
  scene = await ExchangeScene.start('versions');
  org = scene.provider.organization;
  agent = await RelyingParty.register(scene.provider, { grantTypes: [exchange], redirectUris: [], scopes: [right] });
  expect((await org.tenant('POST', '/zanzibar/models', { body: model('first') })).status).toBe(201);
  app = await RelyingParty.register(scene.provider, { scopes, mayAct: [agent.id] });
});
afterAll(() => scene.stop());

async function made(path: string, body: object): Promise<string> {
  const answer = await org.tenant('POST', path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.text('data.id');
}

async function raw(op: 'writes' | 'deletes', ...tuples: readonly string[]): Promise<void> {
  const answer = await org.tenant('POST', '/zanzibar/tuples', { body: { [op]: tuples } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

/** Who is in which role and group, all of it new in each test. */
class Standing {
  readonly user: NewUser;
  readonly role: string;
  readonly roleId: string;
  readonly group: string;
  readonly groupId: string;

  constructor(dependencies: Pick<Standing, 'user' | 'role' | 'roleId' | 'group' | 'groupId'>) {
    this.user = dependencies.user;
    this.role = dependencies.role;
    this.roleId = dependencies.roleId;
    this.group = dependencies.group;
    this.groupId = dependencies.groupId;
  }

  static async begin(): Promise<Standing> {
    const number = ++count;
    const role = `makers-${number}`;
    const group = `crew-${number}`;
    return new Standing({
      user: await org.newUser(`maker${number}@example.com`),
      role,
      roleId: await made('/admin/roles', { slug: role, name: 'Makers' }),
      group,
      groupId: await made('/admin/groups', { name: group }),
    });
  }

  get subject(): string {
    return `user:${this.user.id}`;
  }

  /** The tuples by which a user may hold the right. */
  get tuples() {
    const { subject, role, group } = this;
    return {
      grant: `permission:${right}#granted@${subject}`,
      inRole: `permission:${right}#granted@role:${role}#assignee`,
      role: `role:${role}#assignee@${subject}`,
      ofGroup: `role:${role}#assignee@group:${group}#member`,
      member: `group:${group}#member@${subject}`,
    };
  }

  async token(): Promise<string> {
    return (await agreed(scene.provider, app, this.user, scopes)).access;
  }
}

let standing: Standing;
beforeEach(async () => {
  standing = await Standing.begin();
});

/** A model of an organization’s own, with one type more. */
function model(name: string, ...more: readonly string[]) {
  const doc = ['type doc', '  relations', '    define viewer: [user]'];
  return { dsl: ['model', '  schema 1.1', ...doc, `type ${name}`, ...more].join('\n') };
}

type Request = (name: string) => readonly [method: string, path: string, body: object];

const createGroup: Request = (name) => ['POST', '/admin/groups', { name }];

/** A request of a caller while something is done between its plan and its commit; and how often it was planned. */
async function meanwhile(key: string, task: () => Promise<unknown>, request = createGroup) {
  const name = `made-${++count}`;
  const [method, path, body] = request(name);
  const { service } = scene.provider;
  let isDone = false;
  let status = 0;
  const submitted = await submittedDuring(service.keyDependencies().engine, async () => {
    service.beforeNextCommit(async () => {
      await task();
      isDone = true;
    });
    ({ status } = await org.tenant(method, path, { key, body }));
  });
  expect(isDone).toBe(true);
  return { status, plans: submitted.filter((changes) => changes.includes(name)).length };
}

type Way = keyof Standing['tuples'];

describe('whoever is demoted between the judgement and the commit does not get through', () => {
  const ways: [name: string, given: readonly Way[], taken: (of: Standing) => Promise<unknown>][] = [
    ['a grant of one’s own', ['grant'], ({ tuples }) => raw('deletes', tuples.grant)],
    ['a role of one’s own', ['inRole', 'role'], ({ tuples }) => raw('deletes', tuples.role)],
    [
      'a role of one’s own, by its endpoint',
      ['inRole', 'role'],
      async ({ user, roleId }) => {
        const taken = await org.tenant('DELETE', `/admin/users/${user.id}/roles/${roleId}`);
        expect(taken.status).toBeLessThan(300);
      },
    ],
    ['a membership', ['inRole', 'ofGroup', 'member'], ({ tuples }) => raw('deletes', tuples.member)],
    ['the role of a group', ['inRole', 'ofGroup', 'member'], ({ tuples }) => raw('deletes', tuples.ofGroup)],
    ['a permission of a role', ['inRole', 'role'], ({ tuples }) => raw('deletes', tuples.inRole)],
    ['a role that is deleted', ['inRole', 'role'], ({ roleId }) => org.tenant('DELETE', `/admin/roles/${roleId}`)],
    [
      'a group that is deleted',
      ['inRole', 'ofGroup', 'member'],
      ({ groupId }) => org.tenant('DELETE', `/admin/groups/${groupId}`),
    ],
    [
      'many grants, one’s own among them',
      ['grant'],
      ({ tuples }) => {
        const others = Array.from({ length: 40 }, (_, n) => `permission:${right}#granted@user:other-${n}`);
        return raw('deletes', ...others, tuples.grant);
      },
    ],
  ];

  test.each(ways)('by losing %s', async (_, given, taken) => {
    await raw('writes', ...given.map((way) => standing.tuples[way]));
    const key = await standing.token();
    expect(await meanwhile(key, () => taken(standing))).toEqual({ status: 403, plans: 1 });
  });

  test('nor who is suspended, or deleted', async () => {
    for (const [method, path] of [
      ['POST', '/block'],
      ['DELETE', ''],
    ] as const) {
      standing = await Standing.begin();
      await raw('writes', standing.tuples.grant);
      const key = await standing.token();
      const ended = meanwhile(key, () => org.tenant(method, `/admin/users/${standing.user.id}${path}`));
      expect(await ended).toEqual({ status: 401, plans: 1 });
    }
  });

  test('with a delegated token, whichever of the two loses it', async () => {
    const ofAgent = `permission:${right}#granted@oauth_client:${agent.id}`;
    for (const lost of [standing.tuples.grant, ofAgent]) {
      await raw('writes', standing.tuples.grant, ofAgent);
      const { token } = await scene.exchanged(agent, await standing.token());
      expect(await meanwhile(token, () => raw('deletes', lost))).toEqual({ status: 403, plans: 1 });
    }
  });

  test.each<[string, readonly string[], Request]>([
    [
      'tuples of rights',
      ['tuples.write', 'roles.assign'],
      (name) => ['POST', '/zanzibar/tuples', { writes: [`role:${standing.role}#assignee@user:${name}`] }],
    ],
    [
      'tuples of another type',
      ['tuples.write'],
      (name) => ['POST', '/zanzibar/tuples', { writes: [`doc:${name}#viewer@user:anybody`] }],
    ],
    ['a model', ['settings.manage'], (name) => ['POST', '/zanzibar/models', model(name)]],
  ])('as one who writes %s', async (_, permissions, request) => {
    // with an expiry it is no lasting administrator, so that only the user's own record says that it goes
    const expiresAt = new Date(scene.provider.service.clock.now() + 3_600_000).toISOString();
    const held = permissions.map((each) => {
      return { object: `permission:${each}`, relation: 'granted', subject: standing.subject };
    });
    const writes = held.map((tuple) => ({ ...tuple, expiresAt }));
    expect((await org.tenant('POST', '/zanzibar/tuples', { body: { writes } })).status).toBe(200);
    const key = await standing.token();
    const taken = async () => {
      expect((await org.tenant('POST', '/zanzibar/tuples', { body: { deletes: held } })).status).toBe(200);
    };
    expect(await meanwhile(key, taken, request)).toEqual({ status: 403, plans: 1 });
  });

  test('as a key, which comes to have an end', async () => {
    const body = { name: 'maker', permissions: [right] };
    const key = (await org.tenant('POST', '/admin/api-keys', { body })).at('data') as { id: string; key: string };
    const limited = meanwhile(key.key, async () => {
      const expiresAt = new Date(scene.provider.service.clock.now() + 1000).toISOString();
      const answer = await org.tenant('PATCH', `/admin/api-keys/${key.id}`, { body: { expiresAt } });
      expect(answer.status).toBe(200);
    });
    expect((await limited).status).toBe(401);
  });
});

describe('what is taken from others', () => {
  /** Whose record is not the caller’s: one of many thousands is. */
  async function other(): Promise<Standing> {
    for (;;) {
      const found = await Standing.begin();
      if (rightsIdOf(found.subject) !== rightsIdOf(standing.subject)) return found;
    }
  }

  const ways: [name: string, taken: (of: Standing) => Promise<unknown>][] = [
    ['a grant', ({ tuples }) => raw('deletes', tuples.grant)],
    ['a role', ({ tuples }) => raw('deletes', tuples.role)],
    ['a membership', ({ tuples }) => raw('deletes', tuples.member)],
    [
      'a role, by its endpoint',
      async ({ user, roleId }) => {
        const taken = await org.tenant('DELETE', `/admin/users/${user.id}/roles/${roleId}`);
        expect(taken.status).toBeLessThan(300);
      },
    ],
    ['a user who is blocked', ({ user }) => org.tenant('POST', `/admin/users/${user.id}/block`)],
    ['a user who is deleted', ({ user }) => org.tenant('DELETE', `/admin/users/${user.id}`)],
  ];

  test.each(ways)('lets a command be: %s', async (_, taken) => {
    await raw('writes', standing.tuples.grant);
    const of = await other();
    const { inRole, ofGroup, grant, role, member } = of.tuples;
    await raw('writes', inRole, ofGroup, grant, role, member);
    const key = await standing.token();
    expect(await meanwhile(key, () => taken(of))).toEqual({ status: 201, plans: 1 });
  });

  test('is seen where it was full administration, or a group’s', async () => {
    await raw('writes', standing.tuples.grant);
    const of = await other();
    const key = await standing.token();
    const full = `permission:settings.manage#granted@${of.subject}`;
    for (const tuple of [full, of.tuples.ofGroup]) {
      await raw('writes', tuple);
      expect(await meanwhile(key, () => raw('deletes', tuple))).toEqual({ status: 201, plans: 2 });
    }
  });

  test('is seen where a model is written', async () => {
    await raw('writes', standing.tuples.grant);
    const key = await standing.token();
    const write = (body: object) => org.tenant('POST', '/zanzibar/models', { body });
    expect(await meanwhile(key, () => write(model('other')))).toEqual({ status: 201, plans: 2 });
  });

  test('is seen under a model that restricts rights, where it may concern anybody', async () => {
    const of = await other();
    await raw('writes', standing.tuples.grant, of.tuples.grant);
    const key = await standing.token();
    const listed = ['type permission', '  relations', '    define listed: [user]'];
    const restricting = model('banned', ...listed, '    define granted: [user] but not listed');
    const write = (body: object) => org.tenant('POST', '/zanzibar/models', { body });
    expect((await write(restricting)).status).toBe(201);
    try {
      const taken = meanwhile(key, () => raw('deletes', of.tuples.grant));
      expect(await taken).toEqual({ status: 201, plans: 2 });
      const listing = meanwhile(key, () => raw('writes', `permission:${right}#listed@${standing.subject}`));
      expect(await listing).toEqual({ status: 403, plans: 1 });
    } finally {
      expect((await write(model('last'))).status).toBe(201);
    }
  });

  test('leaves no more records than there are shares', async () => {
    const { service } = scene.provider;
    const ids = () => service.idsOf(org.organization.store.name, 'administration');
    expect(ids().every((id) => /^(rights|subjects-[\w-]{2})$/.test(id))).toBe(true);
    const before = ids().length;
    for (let n = 0; n < 3; n++) await raw('deletes', `permission:${right}#granted@user:nobody`);
    expect(ids().length - before).toBeLessThan(2);
  });
});
