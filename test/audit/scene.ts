import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Answer, Organization, RunningService, type Service } from '../server/running-service.ts';
import { sharedService } from '../server/shared-service.ts';

export interface Entry {
  readonly id: string;
  readonly orgId: string;
  readonly eventType: string;
  readonly action: string;
  readonly severity: string;
  readonly actorId: string;
  readonly actorType: string;
  readonly actorEmail: string | null;
  readonly targetId: string | null;
  readonly targetType: string | null;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly result: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}

/** An organization whose log is asked in both families. */
export class AuditedOrg {
  readonly org: Organization;
  readonly #service: Service;
  #since = '2000-01-01';

  constructor(service: Service, org: Organization) {
    this.#service = service;
    this.org = org;
  }

  get slug(): string {
    return this.org.slug;
  }

  /** Makes what tests write tuples about. What that put on record is before `since`. */
  async prepare(): Promise<void> {
    await this.org.directory('role:a', 'role:b', 'role:c', 'role:editor');
    const last = Date.parse((await this.logs('?limit=1')).text('data.0.createdAt'));
    this.#since = new Date(last + 1).toISOString();
  }

  /** A part of a query: only what happened after the preparation. */
  get since(): string {
    return `from=${this.#since}`;
  }

  logs(path = '', family: 't' | 'orgs' = 't', key = this.org.key): Promise<Answer> {
    return this.#service.call('GET', `/${family}/${this.slug}/api/v1/admin/audit-logs${path}`, { key });
  }

  /** All entries since the preparation, up to 500, in the offset form. */
  async entries(query = ''): Promise<Entry[]> {
    const answer = await this.logs(`?offset=0&limit=500${this.#within(query)}`);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.list('items') as Entry[];
  }

  async count(query = ''): Promise<number> {
    return Number((await this.logs(`?limit=1${this.#within(query)}`)).at('meta.total'));
  }

  #within(query: string): string {
    return /&(from|startDate)=/.test(query) ? query : `${query}&${this.since}`;
  }

  /** As many entries as tuples, in one commit. */
  async writeRoles(role: string, from: number, count: number): Promise<void> {
    const writes = Array.from({ length: count }, (_, place) => `role:${role}#assignee@agent:u${from + place}`);
    const answer = await this.org.post('/zanzibar/tuples', { writes });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }

  /** The same organization through another key. */
  as(key: string): AuditedOrg {
    return new AuditedOrg(this.#service, new Organization(this.#service, this.slug, key));
  }
}

/** An organization for each test of a file: on the shared service, or on one of their own where an environment is given. */
export function auditScene(environment?: Readonly<Record<string, string>>) {
  const name = `audited-${randomUUID().slice(0, 8)}`;
  let service: Service | undefined;
  let org: AuditedOrg | undefined;
  let count = 0;
  const started = (): Service => {
    if (service === undefined) throw new Error('the service starts before the first test');
    return service;
  };
  beforeAll(async () => {
    service = environment === undefined ? await sharedService() : await RunningService.start(environment);
  });
  afterAll(async () => {
    if (service instanceof RunningService) await service.remove();
  });
  beforeEach(async () => {
    org = new AuditedOrg(started(), await started().organization(`${name}-${++count}`));
    await org.prepare();
  });
  return {
    get service() {
      return started();
    },
    get org(): AuditedOrg {
      if (org === undefined) throw new Error('an organization is made before each test');
      return org;
    },
  };
}
