import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../server/running-service.ts';

let service: InProcessService;
let org: InProcessOrganization;

beforeAll(async () => {
  service = await InProcessService.start();
  org = await service.organization('afterwards');
});
afterAll(() => service.stop());

let isAwaited = false;
afterEach(() => expect(isAwaited).toBe(false));

/** Somebody else is served between the next commit and the answer to it. */
function afterNextCommit(task: () => Promise<Answer>): void {
  const { engine } = service.keyDependencies();
  const { submit } = engine;
  isAwaited = true;
  engine.submit = async (command) => {
    engine.submit = submit;
    isAwaited = false;
    const result = await submit.call(engine, command);
    const { status, body } = await task();
    if (status >= 300) throw new Error(JSON.stringify(body));
    return result;
  };
}

async function made(path: string, body: object): Promise<string> {
  const answer = await org.tenant('POST', path, { body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.text('data.id');
}

interface Changing {
  readonly what: string;
  readonly make: () => Promise<string>;
  /** The change that is answered, and the one that comes in between, to one of them. */
  readonly change: (id: string) => readonly [string, string, object?];
  readonly between: (id: string) => readonly [string, string, object?];
  readonly remove?: (id: string) => readonly [string, string];
}

const user = () => made('/admin/users', { email: `user-${count++}@people.example` });
let count = 0;
const providers = ['github', 'google'];

const cases: readonly Changing[] = [
  {
    what: 'a new key of an agent',
    make: () => made('/admin/agents', { name: 'before' }),
    change: (id) => ['POST', `/admin/agents/${id}/rotate-key`],
    between: (id) => ['PUT', `/admin/agents/${id}`, { name: 'between' }],
    remove: (id) => ['DELETE', `/admin/agents/${id}`],
  },
  {
    what: 'a new secret of a client',
    make: () => made('/admin/clients', { name: 'before', grantTypes: ['client_credentials'], redirectUris: [] }),
    change: (id) => ['POST', `/admin/clients/${id}/rotate-secret`],
    between: (id) => ['PATCH', `/admin/clients/${id}`, { name: 'between' }],
    remove: (id) => ['DELETE', `/admin/clients/${id}`],
  },
  {
    what: 'a user',
    make: user,
    change: (id) => ['PATCH', `/admin/users/${id}`, { locale: 'de' }],
    between: (id) => ['PATCH', `/admin/users/${id}`, { name: 'between' }],
    remove: (id) => ['DELETE', `/admin/users/${id}`],
  },
  {
    what: 'the status of a user',
    make: user,
    change: (id) => ['POST', `/admin/users/${id}/block`],
    between: (id) => ['PATCH', `/admin/users/${id}`, { name: 'between' }],
    remove: (id) => ['DELETE', `/admin/users/${id}`],
  },
  {
    what: 'a provider',
    make: () =>
      made('/admin/social-providers', { type: providers.pop(), name: 'before', clientId: 'a', clientSecret: 'secret' }),
    change: (id) => ['PUT', `/admin/social-providers/${id}`, { clientId: 'b' }],
    between: (id) => ['PUT', `/admin/social-providers/${id}`, { name: 'between' }],
    remove: (id) => ['DELETE', `/admin/social-providers/${id}`],
  },
  {
    what: 'the language model for questions',
    make: async () => 'settings',
    change: () => ['PUT', '/admin/ask/settings', { enabled: false, url: null, model: 'before' }],
    between: () => ['PUT', '/admin/ask/settings', { enabled: false, url: null, model: 'between' }],
  },
  {
    what: 'the profile of the organization',
    make: async () => 'settings',
    change: () => ['PATCH', '/admin/organization', { metadata: { a: 1 } }],
    between: () => ['PATCH', '/admin/organization', { name: 'between' }],
  },
];

const called = ([method, path, body]: readonly [string, string, object?]) =>
  org.tenant(method, path, body === undefined ? {} : { body });

test.each(cases)('$what is answered as it stands after the commit', async ({ make, change, between }) => {
  const id = await make();
  afterNextCommit(() => called(between(id)));
  const answer = await called(change(id));
  expect(answer).toMatchObject({ status: 200 });
  expect(JSON.stringify(answer.body)).toContain('"between"');
});

test.each(cases.filter(({ remove }) => remove !== undefined))(
  '$what that somebody has deleted by then is not found',
  async ({ make, change, remove = () => ['', ''] }) => {
    const id = await make();
    afterNextCommit(() => called(remove(id)));
    expect(await called(change(id))).toMatchObject({ status: 404 });
  },
);

test('a provisioned user is answered with the version that it has after the commit', async () => {
  const id = await user();
  const path = `/orgs/afterwards/scim2.0/Users/${id}`;
  await org.org('PATCH', '/admin/settings/scim', { body: { enabled: true } });
  const token = (await org.org('POST', '/admin/settings/scim/tokens', { body: { name: 'directory' } })).text(
    'data.data.token',
  );
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'title', value: 'Director' }],
  };
  afterNextCommit(() => called(['PATCH', `/admin/users/${id}`, { name: 'between' }]));
  const answer = await service.call('PATCH', path, { key: token, body });
  expect(answer).toMatchObject({ status: 200, body: { title: 'Director', displayName: 'between' } });
  const { headers } = await service.call('GET', path, { key: token });
  expect(answer.headers.get('etag')).toBe(headers.get('etag'));
});
