import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseTuple } from '../../engine/index.ts';
import { transact } from '../../src/kernel/transactions/index.ts';
import { facts, type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';

let service: InProcessService;
let count = 0;

beforeAll(async () => {
  service = await InProcessService.start();
});
afterAll(() => service.stop());

describe('two administrators who remove each other', () => {
  const ROUNDS = 20;
  const role = (id: string) => `role:ROLE_TENANT_ADMIN#assignee@api_key:${id}`;
  let own: InProcessOrganization;
  let first: string;
  let second: { readonly id: string; readonly key: string };

  beforeEach(async () => {
    own = await service.organization(`each-other-${++count}`);
    const [key] = (await own.tenant('GET', '/admin/api-keys')).list('data') as { id: string }[];
    first = key?.id ?? '';
    const body = { name: 'second', roles: ['ROLE_TENANT_ADMIN'] };
    second = (await own.tenant('POST', '/admin/api-keys', { body })).at('data') as typeof second;
  });

  const submit = (key: string, body: object) => own.tenant('POST', '/zanzibar/tuples', { key, body });

  test(`do not both succeed, ${ROUNDS} times in both orders`, async () => {
    const both = [
      { key: own.key, id: first },
      { key: second.key, id: second.id },
    ] as const;
    for (let round = 0; round < ROUNDS; round++) {
      for (const [one, two] of [both, both.toReversed()] as (typeof both)[]) {
        let status = 0;
        service.beforeNextCommit(async () => {
          ({ status } = await submit(two.key, { deletes: [role(one.id)] }));
        });
        const refusedOne = await submit(one.key, { deletes: [role(two.id)] });
        expect([status, refusedOne.status]).toEqual([200, 403]);
        expect((await submit(two.key, { writes: [role(one.id)] })).status).toBe(200);
      }
    }
  });

  /** As the super administrator, whose rights no tuples say: only that somebody remains holds it. */
  function take(...tuples: readonly string[]): Promise<void> {
    const { organization } = own;
    const anybody = { organization, subject: undefined, may: () => true, isStillValid: () => true, seesRights: true };
    const taken = tuples.map(parseTuple);
    return transact(service.keyDependencies(), anybody, facts, (transaction) => transaction.erase(taken));
  }

  test(`nor where it is somebody else who removes them, ${ROUNDS} times in both orders`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [one, two] of [
        [first, second.id],
        [second.id, first],
      ] as [string, string][]) {
        service.beforeNextCommit(() => take(role(one)));
        await expect(take(role(two))).rejects.toMatchObject({ problem: { kind: { status: 422 } } });
        const key = two === first ? own.key : second.key;
        expect((await submit(key, { writes: [role(one)] })).status).toBe(200);
      }
    }
  });

  /** The second one becomes an administrator by a group alone. */
  async function beginInGroup(): Promise<{ readonly member: string; readonly give: () => Promise<unknown> }> {
    const user = await own.newUser(`late${count}@example.com`);
    expect((await own.tenant('POST', '/admin/groups', { body: { name: 'late' } })).status).toBe(201);
    const body = { slug: 'late', name: 'Late' };
    expect((await own.tenant('POST', '/admin/roles', { body })).status).toBe(201);
    const member = `group:late#member@user:${user.id}`;
    const ways = [member, 'role:late#assignee@group:late#member'];
    expect((await submit(own.key, { writes: ways })).status).toBe(200);
    expect((await own.tenant('DELETE', `/admin/api-keys/${second.id}`)).status).toBe(204);
    const give = async () => {
      const writes = ['permission:settings.manage#granted@role:late#assignee'];
      expect((await submit(own.key, { writes })).status).toBe(200);
    };
    return { member, give };
  }

  test('nor where one became an administrator only after the other’s removal was judged', async () => {
    const { member, give } = await beginInGroup();
    service.beforeNextCommit(async () => {
      await give();
      await take(role(first));
    });
    await expect(take(member)).rejects.toMatchObject({ problem: { kind: { status: 422 } } });
  });

  test('nor where the one who remains is taken away by a command that was judged before that', async () => {
    const { member, give } = await beginInGroup();
    let later: Promise<void> | undefined;
    let earlier: Promise<void> | undefined;
    service.beforeNextCommit(async () => {
      await give();
      await new Promise<void>((planned) => {
        service.beforeNextCommit(async () => {
          planned();
          await earlier;
        });
        later = take(role(first));
        later.catch(() => {});
      });
    });
    earlier = take(member);
    await earlier;
    await expect(later).rejects.toMatchObject({ problem: { kind: { status: 422 } } });
    expect((await own.tenant('GET', '/admin/api-keys')).status).toBe(200);
  });
});
