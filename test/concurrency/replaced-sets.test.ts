import { afterAll, beforeAll, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
  org = await service.organization('replaced');
  for (const slug of ['first', 'second', 'third', 'fourth']) {
    await make('/admin/roles', { slug, name: slug });
    await make('/admin/groups', { name: slug });
    await make('/admin/permissions', { slug: `docs:${slug}`, name: slug });
  }
});
afterAll(() => service.stop());

async function make(path: string, body: object): Promise<string> {
  const made = await org.org('POST', path, { body });
  expect([made.status, made.body]).toMatchObject([201, {}]);
  return String(made.at('data.data.id'));
}

interface ReplacedSet {
  readonly what: string;
  readonly begin: () => Promise<string>;
  /** Where the set is read; changed there too. */
  readonly at?: string;
  readonly field: string;
  readonly nameOf: (slug: string) => string;
}

const user = async () => `/admin/users/${await make('/admin/users', { email: `user${++count}@replaced.example` })}`;
const agent = async () => `/admin/agents/${await make('/admin/agents', { name: `agent ${++count}`, type: 'bot' })}`;
const same = (slug: string) => slug;
const docs = (slug: string) => `docs:${slug}`;

const sets: readonly ReplacedSet[] = [
  { what: 'roles of a user', begin: user, at: '/roles', field: 'roles', nameOf: same },
  { what: 'groups of a user', begin: user, at: '/groups', field: 'groups', nameOf: same },
  { what: 'roles of an agent', begin: agent, field: 'roles', nameOf: same },
  { what: 'permissions of an agent', begin: agent, field: 'permissions', nameOf: docs },
  {
    what: 'permissions of a policy',
    begin: async () => {
      const body = { name: `Policy ${++count}`, permissions: [docs('first')], condition: 'true' };
      return `/admin/policies/${await make('/admin/policies', body)}`;
    },
    field: 'permissions',
    nameOf: docs,
  },
];

test.each(sets)('$what: of two sets at once, the second one stays', async ({ begin, at = '', field, nameOf }) => {
  const path = await begin();
  const shown = async () => {
    const data = (await org.org('GET', path + at)).at('data.data') as unknown;
    const list = (Array.isArray(data) ? data : (data as Record<string, unknown>)[field]) as (string | object)[];
    return list.map((each) => (typeof each === 'string' ? each : String((each as { slug: string }).slug))).toSorted();
  };
  const method = path.startsWith('/admin/policies') ? 'PATCH' : 'PUT';
  const put = async (...slugs: string[]) => {
    const answer = await org.org(method, path + at, { body: { [field]: slugs.map(nameOf) } });
    expect([answer.status, answer.body]).toMatchObject([200, {}]);
  };
  // what one of them adds, and what it leaves, is nothing that the other one needs
  for (const next of [['first', 'third'], ['first']]) {
    let isDone = false;
    await put('first', 'third', 'fourth');
    service.beforeNextCommit(async () => {
      await put('first', 'second', 'third', 'fourth');
      isDone = true;
    });
    await put(...next);
    expect([isDone, await shown()]).toEqual([true, next.map(nameOf)]);
  }
});
