import { beforeAll, describe } from 'vitest';
import { type Family, families, InFamily } from '../../../server/in-family.ts';
import { Answer, type Organization, type Service } from '../../../server/running-service.ts';
import { sharedService } from '../../../server/shared-service.ts';
import { type Body, expectStatus, type Operation, patchOf, person, team } from './messages.ts';

export interface SentWith {
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the provider's own; `null` for none. */
  readonly token?: string | null;
}

/** What a client has made, as the provider showed it. */
export interface Made extends Body {
  readonly id: string;
}

/** A service provider, as a client meets it: one base URL of an organization, and a token for it. */
export class Provider {
  readonly org: Organization;
  readonly family: Family;
  readonly token: string;

  private constructor(org: Organization, family: Family, token: string) {
    this.org = org;
    this.family = family;
    this.token = token;
  }

  /** In an organization of its own, which allows everything. @param settings what it says otherwise */
  static async start(slug: string, family: Family, settings: Body = {}, service?: Service): Promise<Provider> {
    const org = await (service ?? (await sharedService())).organization(slug);
    const admin = new InFamily(org, 'org');
    await admin.make('PATCH', '/settings/scim', { enabled: true, provisioning: { delete_users: true }, ...settings });
    const { token } = await admin.make<{ token: string }>('POST', '/settings/scim/tokens', { name: 'conformance' });
    return new Provider(org, family, token);
  }

  /** The same organization at its other base URL. */
  get other(): Provider {
    return new Provider(this.org, this.family === 'org' ? 'tenant' : 'org', this.token);
  }

  get basePath(): string {
    return this.family === 'org' ? `/orgs/${this.org.slug}/scim2.0` : `/t/${this.org.slug}/scim/v2`;
  }

  get baseUrl(): string {
    return this.org.service.url + this.basePath;
  }

  /** As the organization's administrator. */
  get admin(): InFamily {
    return new InFamily(this.org, this.family);
  }

  /** @param path below the base URL; `body` is sent as it is where it is a text */
  async send(method: string, path: string, body?: unknown, { headers, token }: SentWith = {}): Promise<Answer> {
    const bearer = token === undefined ? this.token : token;
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = text !== '' && /json/.test(response.headers.get('content-type') ?? '');
    return new Answer(response.status, isJson ? JSON.parse(text) : text, response.headers);
  }

  get(path: string, options?: SentWith): Promise<Answer> {
    return this.send('GET', path, undefined, options);
  }

  post(path: string, body: unknown, options?: SentWith): Promise<Answer> {
    return this.send('POST', path, body, options);
  }

  put(path: string, body: unknown, options?: SentWith): Promise<Answer> {
    return this.send('PUT', path, body, options);
  }

  patch(path: string, ...operations: readonly Operation[]): Promise<Answer> {
    return this.send('PATCH', path, patchOf(...operations));
  }

  delete(path: string, options?: SentWith): Promise<Answer> {
    return this.send('DELETE', path, undefined, options);
  }

  /** The resources that a filter matches. */
  async query(path: string, filter: string, rest = ''): Promise<Answer> {
    return expectStatus(await this.get(`${path}?filter=${encodeURIComponent(filter)}${rest}`), 200);
  }

  async make(path: string, body: unknown): Promise<Made> {
    return expectStatus(await this.post(path, body), 201).body as Made;
  }

  newUser(extra: Body = {}): Promise<Made> {
    return this.make('/Users', person(extra));
  }

  newGroup(extra: Body = {}): Promise<Made> {
    return this.make('/Groups', team(extra));
  }

  /** Changes a resource, which must succeed, and shows it as it is afterwards. */
  async patched(path: string, ...operations: readonly Operation[]): Promise<Made> {
    expectStatus(await this.patch(path, ...operations), 200, 204);
    return this.shown(path);
  }

  async shown(path: string): Promise<Made> {
    return expectStatus(await this.get(path), 200).body as Made;
  }
}

/** Runs tests at both base URLs, each in an organization of its own. */
export function atBothBases(title: string, slug: string, tests: (scim: () => Provider) => void): void {
  describe.each(families)(`${title} (%s base)`, (family) => {
    let provider: Provider;
    beforeAll(async () => {
      provider = await Provider.start(`${slug}-${family}`, family);
    });
    tests(() => provider);
  });
}
