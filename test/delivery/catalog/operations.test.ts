import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  emittingBeside,
  emittingOperations,
  operationOf,
  silentOperations,
  silentReasonOf,
} from '../../../src/delivery/catalog/index.ts';
import { eventsOf, modules } from '../../../src/server/modules.ts';
import { InProcessService } from '../../identity/sessions/in-process-service.ts';

const emitting: Readonly<Record<string, readonly string[]>> = emittingOperations;
const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

let service: InProcessService;
let operations: ReturnType<typeof operationOf>[];

beforeAll(async () => {
  service = await InProcessService.start();
  operations = [...new Set(service.endpoints.map(operationOf))];
});
afterAll(() => service.stop());

describe('which operation causes which events', () => {
  it('is said of each operation that changes something: what it causes, or why nothing', () => {
    const changes = operations.filter((operation) => changing.has(operation.split(' ')[0] ?? ''));
    expect(changes.length).toBeGreaterThan(150);
    const unnamed = changes.filter((each) => emitting[each] === undefined && silentReasonOf(each) === undefined);
    expect(unnamed).toEqual([]);
    const twice = changes.filter((each) => emitting[each] !== undefined && silentReasonOf(each) !== undefined);
    expect(twice).toEqual([]);
  });

  it('is said of no operation that there is not', () => {
    const silent = Object.values(silentOperations).flat();
    expect(Object.keys(emitting).filter((each) => !operations.some((one) => one === each))).toEqual([]);
    expect(silent.filter((each) => !operations.includes(each))).toEqual([]);
    expect(new Set(silent).size).toBe(silent.length);
  });

  it('names types that there are, and each of them has a cause', () => {
    const types = eventsOf(modules).map(({ type }) => type);
    const caused = [...Object.values(emitting), ...Object.values(emittingBeside)].flat();
    expect([...new Set(caused)].toSorted()).toEqual(types.toSorted());
    for (const [operation, named] of Object.entries(emitting)) {
      expect(named.length, operation).toBeGreaterThan(0);
      expect(new Set(named).size, operation).toBe(named.length);
    }
  });
});

describe('the types of events', () => {
  it('are answered in both families, with what causes them', async () => {
    const org = await service.organization('types');
    const key = await org.newKey('audit.read');
    const inOrg = await org.org('GET', '/admin/events/types', { key });
    const inTenant = await org.tenant('GET', '/admin/events/types', { key });
    expect([inOrg.status, inTenant.status]).toEqual([200, 200]);
    const catalogs = inTenant.at('data.catalogs') as {
      catalog: string;
      subscribedAt: string;
      types: { name: string; schema: object; example: { type: string }; operations: string[] }[];
    }[];
    expect(inOrg.at('data.data.catalogs')).toEqual(catalogs);
    expect(catalogs.map(({ catalog, subscribedAt }) => [catalog, subscribedAt])).toEqual([
      ['a', '/orgs/{orgId}/api/v1/admin/webhooks'],
      ['b', '/t/{tenant}/api/v1/admin/webhooks'],
      ['c', '/orgs/{orgId}/api/v1/webhooks'],
    ]);
    for (const { types } of catalogs) {
      for (const { name, example, operations: causes } of types) {
        expect(example.type).toBe(name);
        expect(causes.length).toBeGreaterThan(0);
      }
    }
    const suspended = catalogs[2]?.types.find(({ name }) => name === 'user.suspended');
    expect(suspended?.operations).toContain('POST /admin/users/{userId}/block');
    expect(suspended?.operations).toContain('PATCH /scim/Users/{id}');
    expect(suspended?.example).toMatchObject({ organization: 'library', data: { email: 'anne@example.com' } });
  });

  it('are not answered without the right', async () => {
    const org = await service.organization('types-denied');
    const key = await org.newKey('users.read');
    expect((await org.tenant('GET', '/admin/events/types', { key })).status).toBe(403);
  });
});
