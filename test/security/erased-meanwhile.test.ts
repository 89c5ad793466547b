import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditedAs, entryRecords } from '../../src/kernel/audit/index.ts';
import {
  facts,
  type InProcessOrganization,
  InProcessService,
  type NewUser,
} from '../identity/sessions/in-process-service.ts';

/** More than two pages of an erasure. */
const ENTRIES = 450;
const PAGE = 200;

let service: InProcessService;
let org: InProcessOrganization;
let anne: NewUser;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
beforeEach(async () => {
  org = await service.organization(`erased-${++count}`);
  anne = await org.newUser('anne@example.com');
  const actor = { ...anne, type: 'user' } as const;
  const event = { eventType: 'user.login', action: 'user.login' };
  const { audit } = service.keyDependencies();
  await service.submit(
    Array.from({ length: ENTRIES }, () => auditedAs(audit, org.organization, actor, facts, event)).flat(),
  );
});
afterAll(() => service.stop());

/** How many entries of theirs still tell the address. */
function told(): number {
  const { store } = org.organization;
  return service.read(() => {
    const ids = entryRecords.index(store).ids('actorId', anne.id, { limit: ENTRIES * 2 });
    return ids.filter((id) => JSON.stringify(entryRecords.get(store, id)?.document.personal).includes(anne.email))
      .length;
  });
}

async function isOnRecord(action: string): Promise<boolean> {
  const entries = await org.tenant('GET', `/admin/audit-logs?action=${action}`);
  expect(entries.status).toBe(200);
  return entries.list('data').length > 0;
}

interface Keeper {
  readonly id: string;
  readonly key: string;
}

async function keyWith(permission: string): Promise<Keeper> {
  const made = await org.tenant('POST', '/admin/api-keys', { body: { name: 'keeper', permissions: [permission] } });
  expect(made.status).toBe(201);
  return made.at('data') as Keeper;
}

const ends = [
  {
    what: 'the right is taken',
    status: 403,
    end: (key: Keeper, permission: string) =>
      org.tenant('POST', '/zanzibar/tuples', {
        body: { deletes: [`permission:${permission}#granted@api_key:${key.id}`] },
      }),
  },
  { what: 'the key is deleted', status: 401, end: ({ id }: Keeper) => org.tenant('DELETE', `/admin/api-keys/${id}`) },
  {
    what: 'the key is rotated',
    status: 401,
    end: ({ id }: Keeper) => org.tenant('POST', `/admin/api-keys/${id}/rotate`),
  },
] as const;

/** Does something before the commit after so many others. */
function beforeCommit(others: number, task: () => Promise<unknown>): void {
  service.beforeNextCommit(others === 0 ? task : async () => beforeCommit(others - 1, task));
}

describe('an erasure goes no further than the right and the credential of its caller', () => {
  test.each(
    ends.flatMap((each) => [
      { ...each, when: 'before it begins', commits: 0, left: ENTRIES },
      { ...each, when: 'before the first page', commits: 1, left: ENTRIES },
      { ...each, when: 'before the second page', commits: 2, left: ENTRIES - PAGE },
    ]),
  )('$what $when', async ({ end, status, commits, left }) => {
    const key = await keyWith('audit.manage');
    let ended = 0;
    beforeCommit(commits, async () => {
      ended = (await end(key, 'audit.manage')).status;
    });
    const body = { type: 'user', id: anne.id };
    const answer = await org.tenant('POST', '/admin/audit-logs/erasure', { key: key.key, body });
    expect(ended).toBeGreaterThanOrEqual(200);
    expect(ended).toBeLessThan(300);
    expect([answer.status, told()]).toEqual([status, left]);
    // it is on record as soon as anything may have gone, and not where it never began
    expect(await isOnRecord('audit_log.erase')).toBe(commits > 0);
    const again = await org.tenant('POST', '/admin/audit-logs/erasure', { body });
    expect([again.status, told()]).toEqual([200, 0]);
  });
});

test.each(ends)('an export that never began is not on record: $what', async ({ end, status }) => {
  const key = await keyWith('audit.read');
  service.beforeNextCommit(() => end(key, 'audit.read'));
  const answer = await org.tenant('GET', '/admin/audit-logs/export?format=json', { key: key.key });
  expect(answer.status).toBe(status);
  expect(await isOnRecord('audit_log.export')).toBe(false);
});
