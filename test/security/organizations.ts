import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type NewKey, Organization, RunningService, type Service } from '../server/running-service.ts';
import { sharedService } from '../server/shared-service.ts';

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

export interface Scene<S extends Service = Service> {
  readonly service: S;
  /** A new organization for each test. */
  readonly org: Organization;
  /** The same organization, through another key. */
  as(key: Pick<NewKey, 'key'>): Organization;
}

/**
 * An organization for each test of a file: on the shared service, or where an environment is given, on one that is
 * started for the file.
 */
export function scene(): Scene;
export function scene(environment: Readonly<Record<string, string>>): Scene<RunningService>;
export function scene(environment?: Readonly<Record<string, string>>): Scene {
  const name = `scene${randomUUID().slice(0, 8)}`;
  let service: Service | undefined;
  let org: Organization | undefined;
  let count = 0;
  beforeAll(async () => {
    service = environment === undefined ? await sharedService() : await RunningService.start(environment);
  });
  beforeEach(async () => {
    org = await service?.organization(`${name}of${++count}`);
  });
  afterAll(async () => {
    if (service instanceof RunningService) await service.remove();
  });
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
