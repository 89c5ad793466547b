import { expect } from 'vitest';
import type { Answer, Organization } from './running-service.ts';

export type Family = 'org' | 'tenant';
export const families = ['org', 'tenant'] as const;

export const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
export const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** One organization's administration in one family, and the envelopes there (specification, Conventions). */
export class InFamily {
  readonly org: Organization;
  readonly family: Family;

  constructor(org: Organization, family: Family) {
    this.org = org;
    this.family = family;
  }

  call(method: string, path: string, body?: unknown, key = this.org.key): Promise<Answer> {
    const base = this.family === 'org' ? `/orgs/${this.org.slug}` : `/t/${this.org.slug}`;
    return this.org.service.call(method, `${base}/api/v1/admin${path}`, { key, body });
  }

  /** Requires success, and answers what is inside of the envelope. */
  async make<T = { readonly id: string }>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return this.inside(answer) as T;
  }

  inside(answer: Answer): unknown {
    return answer.at(this.family === 'org' ? 'data.data' : 'data');
  }

  single(item: unknown): unknown {
    return this.family === 'org' ? { data: { data: item } } : { data: item };
  }

  created(item: unknown): unknown {
    return this.family === 'org' ? { data: { data: item } } : { data: item, message: expect.any(String) };
  }

  /** The first page of a list that fits on it. */
  list(items: readonly unknown[], limit = this.family === 'org' ? 20 : 25): unknown {
    const meta = { total: items.length, page: 1, limit, totalPages: items.length === 0 ? 0 : 1 };
    if (this.family === 'org') return { data: { data: items, meta } };
    return { data: items, meta: { ...meta, hasNextPage: false, hasPreviousPage: false } };
  }

  /** The first page of a list of users. */
  users(items: readonly unknown[]): unknown {
    return this.family === 'org'
      ? this.list(items)
      : { data: items, pagination: { page: 1, limit: 20, total: items.length } };
  }

  /** The status of deleting or removing, where the org family answers with a body. */
  get goneStatus(): 200 | 204 {
    return this.family === 'org' ? 200 : 204;
  }
}

export interface Refusal {
  readonly name: string;
  readonly body: unknown;
  readonly status?: number;
  /** Where the fault is, as the answer names it. */
  readonly path?: string;
}

/** Sends what must be refused, and requires that the answer says why and where. */
export async function expectRefusals(
  call: (body: unknown) => Promise<Answer>,
  refusals: readonly Refusal[],
): Promise<void> {
  for (const { name, body, status = 400, path } of refusals) {
    const answer = await call(body);
    expect({ name, status: answer.status }).toEqual({ name, status });
    if (path !== undefined) expect({ name, errors: answer.list('errors') }).toMatchObject({ name, errors: [{ path }] });
  }
}
