import { expect } from 'vitest';
import type { Answer, Organization, Service } from '../../server/running-service.ts';

export type FamilyName = 'org' | 'tenant';
export const families: readonly FamilyName[] = ['org', 'tenant'];

/** An organization through one family of paths. */
export class People {
  readonly family: FamilyName;
  readonly #service: Service;
  readonly #org: Organization;
  readonly #key: string;

  constructor(service: Service, org: Organization, family: FamilyName, key = org.key) {
    this.#service = service;
    this.#org = org;
    this.family = family;
    this.#key = key;
  }

  as(key: { readonly key: string }): People {
    return new People(this.#service, this.#org, this.family, key.key);
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    const base = this.family === 'org' ? `/orgs/${this.#org.slug}` : `/t/${this.#org.slug}`;
    return this.#service.call(method, `${base}/api/v1/admin${path}`, { key: this.#key, body });
  }

  /** What a single answer holds. */
  item(answer: Answer): Record<string, unknown> {
    return answer.at(this.family === 'org' ? 'data.data' : 'data') as Record<string, unknown>;
  }

  items(answer: Answer): Record<string, unknown>[] {
    return answer.list(this.family === 'org' ? 'data.data' : 'data') as Record<string, unknown>[];
  }

  /** A single answer, as the family wraps it. */
  wrapped(item: unknown): unknown {
    return this.family === 'org' ? { data: { data: item } } : { data: item };
  }

  async user(email: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const created = await this.call('POST', '/users', { email, ...more });
    expect(created.body).toMatchObject({ data: {} });
    expect(created.status).toBe(201);
    return String(this.item(created).id);
  }
}

export const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

/** A new user as a family shows it, with what was said of it. */
export function shownUser(family: FamilyName, said: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const none = family === 'org' ? '' : null;
  const common = {
    id: uuid,
    number: expect.any(Number),
    username: none,
    name: none,
    givenName: none,
    familyName: none,
    picture: '',
    phoneNumber: '',
    title: none,
    locale: none,
    zoneinfo: none,
    emailVerified: false,
    isActive: true,
    mfaEnabled: false,
    metadata: {},
    roles: [],
    groups: [],
    createdAt: time,
    updatedAt: time,
    lastLoginAt: none,
    externalId: null,
    scim: null,
  };
  return family === 'org'
    ? { ...common, isBlocked: false, ...said }
    : { ...common, blocked: false, loginCount: 0, ...said };
}
