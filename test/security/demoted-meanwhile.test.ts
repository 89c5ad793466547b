import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseTuple } from '../../engine/index.ts';
import { type InProcessOrganization, InProcessService } from '../sessions/in-process-service.ts';

let service: InProcessService;
let org: InProcessOrganization;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`demoted-${++count}`);
  const role = await org.tenant('POST', '/admin/roles', { body: { slug: 'clerks', name: 'Clerks' } });
  expect(role.status).toBe(201);
});
afterAll(() => service.stop());

/** A key that may create roles and keys, by a role or by grants of its own; and its subject. */
async function clerk(): Promise<{ readonly key: string; readonly id: string }> {
  const permissions = ['roles.create', 'groups.create', 'roles.assign', 'tuples.write', 'settings.manage'];
  const made = await org.tenant('POST', '/admin/api-keys', { body: { name: 'clerk', permissions } });
  expect(made.status).toBe(201);
  return (made.body as { data: { key: string; id: string } }).data;
}

const requests = [
  ['a role that is created', 'POST', '/admin/roles', { slug: 'made', name: 'Made' }],
  ['a group that is created', 'POST', '/admin/groups', { name: 'made' }],
  ['a key that is created', 'POST', '/admin/api-keys', { name: 'made' }],
  ['a tuple of rights that is written', 'POST', '/zanzibar/tuples', { writes: ['role:clerks#assignee@user:made'] }],
] as const;

describe('Rights: whoever is demoted between the judgement and the commit does not get through', () => {
  test.each(requests)('%s', async (_, method, path, body) => {
    const { key, id } = await clerk();
    let demoted: Promise<unknown> | undefined;
    service.beforeNextCommit(async () => {
      // everything that gives the key its rights, in a commit of its own
      demoted = org.tenant('DELETE', `/admin/api-keys/${id}`);
      await demoted;
    });
    const answer = await org.tenant(method, path, { key, body });
    expect(demoted).toBeDefined();
    expect([401, 403]).toContain(answer.status);
    expect(JSON.stringify((await org.tenant('GET', '/admin/roles')).body)).not.toContain('"made"');
  });

  test('one permission is enough', async () => {
    const { key, id } = await clerk();
    const { store } = org.organization;
    const removed = ['settings.manage', 'roles.create'].map((slug) =>
      parseTuple(`permission:${slug}#granted@api_key:${id}`),
    );
    service.beforeNextCommit(() =>
      org.tenant('POST', '/zanzibar/tuples', {
        body: { deletes: removed.map(({ object, relation, subject }) => ({ object, relation, subject })) },
      }),
    );
    const answer = await org.tenant('POST', '/admin/roles', { key, body: { slug: 'made', name: 'Made' } });
    expect(answer.status).toBe(403);
    expect(service.read(() => store.readTuples({ object: 'role:made' }).tuples)).toEqual([]);
  });

  test('who keeps the right gets through, whatever else is taken away meanwhile', async () => {
    const { key } = await clerk();
    service.beforeNextCommit(() =>
      org.tenant('POST', '/zanzibar/tuples', { body: { deletes: ['role:clerks#assignee@user:nobody'] } }),
    );
    const answer = await org.tenant('POST', '/admin/roles', { key, body: { slug: 'made', name: 'Made' } });
    expect(answer.status).toBe(201);
  });
});
