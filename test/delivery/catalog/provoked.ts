import { expect } from 'vitest';
import { emittingOperations, operationOf } from '../../../src/delivery/catalog/index.ts';
import type { InProcessOrganization } from '../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../server/running-service.ts';

export type Family = 'org' | 'tenant';

const table: Readonly<Record<string, readonly string[]>> = emittingOperations;
const bases = {
  org: { api: '/orgs/{orgId}/api/v1', scim: '/orgs/{orgId}/scim2.0' },
  tenant: { api: '/t/{tenant}/api/v1', scim: '/t/{tenant}/scim/v2' },
};

/** Does operations over HTTP, one after the other, and remembers which events each of them caused. */
export class Provoked {
  readonly org: InProcessOrganization;
  readonly family: Family;
  readonly seen = new Map<string, Set<string>>();
  /** For SCIM. */
  scimToken = '';

  constructor(org: InProcessOrganization, family: Family) {
    this.org = org;
    this.family = family;
  }

  /** @param names by which the parameters of the path are replaced */
  async did(
    operation: string,
    names: Readonly<Record<string, string>> = {},
    body?: unknown,
    key = operation.includes(' /scim/') ? this.scimToken : this.org.key,
  ): Promise<Answer> {
    const [method = '', path = ''] = operation.split(' ');
    const { service, organization } = this.org;
    const { api, scim } = bases[this.family];
    const template = path.startsWith('/scim/') ? scim + path.slice('/scim'.length) : api + path;
    const isThere = service.endpoints.some((each) => each.method === method && each.path === template);
    expect(isThere, `${operation} in the family ${this.family}`).toBe(true);
    const url = template.replace(/\{(\w+)\}/g, (_, name: string) => names[name] ?? organization.slug);
    return this.watched(operation, () => service.call(method, url, { key, body }));
  }

  /** Whether the family has it at all. */
  has(operation: string): boolean {
    const { api } = bases[this.family];
    return this.org.service.endpoints.some((each) => each.path.startsWith(api) && operationOf(each) === operation);
  }

  async watched(operation: string, call: () => Promise<Answer>): Promise<Answer> {
    const before = this.org.lastEvent();
    const answer = await call();
    expect(answer.status, `${operation}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    const types = this.org.eventsAfter(before).map(({ type }) => type);
    const known = table[operation] ?? [];
    expect(
      types.filter((type) => !known.includes(type)),
      `${operation} is not known to cause these`,
    ).toEqual([]);
    this.org.service.ledger.check();
    const seen = this.seen.get(operation) ?? new Set();
    for (const type of types) seen.add(type);
    this.seen.set(operation, seen);
    return answer;
  }

  /** What an answer says of a resource that was made. */
  id(answer: Answer): string {
    return String(answer.at(this.family === 'org' ? 'data.data.id' : 'data.id'));
  }
}
