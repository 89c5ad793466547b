import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type NewKey, Organization, RunningService } from '../server/running-service.ts';

/** Teams see documents, and some are kept out. */
export const documents = [
  'type team',
  '  relations',
  '    define member: [user, api_key]',
  'type doc',
  '  relations',
  '    define viewer: [user, team#member]',
  '    define blocked: [user]',
  '    define can_read: viewer but not blocked',
];

export const forbidden = { status: 403, body: { code: 'forbidden' } };
export const refused = { status: 422, body: { code: 'refused' } };

export interface Scene {
  readonly service: RunningService;
  /** A new organization for each test. */
  readonly org: Organization;
  /** The same organization, through another key. */
  as(key: Pick<NewKey, 'key'>): Organization;
}

/** One service for the tests of a file, and an organization for each of them. */
export function scene(environment: Readonly<Record<string, string>> = {}): Scene {
  let service: RunningService | undefined;
  let org: Organization | undefined;
  let count = 0;
  beforeAll(async () => {
    service = await RunningService.start(environment);
  });
  beforeEach(async () => {
    org = await service?.organization(`scene${++count}`);
  });
  afterAll(() => service?.remove());
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the scene begins with the first test');
    return value;
  };
  return {
    get service() {
      return there(service);
    },
    get org() {
      return there(org);
    },
    as: ({ key }) => new Organization(there(service), there(org).slug, key),
  };
}
