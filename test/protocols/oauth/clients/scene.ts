import { expect } from 'vitest';
import type { InProcessOrganization } from '../../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../../server/running-service.ts';

export type Family = 'org' | 'tenant';
export const families = ['org', 'tenant'] as const;

export const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
export const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const secret = expect.stringMatching(/^[0-9A-Za-z]{43}$/);

export interface MadeClient {
  readonly id: string;
  readonly clientSecret: string;
  readonly subject: string;
}

/** The clients of one organization, in one family. */
export class ClientScene {
  readonly org: InProcessOrganization;
  readonly family: Family;

  constructor(org: InProcessOrganization, family: Family = 'org') {
    this.org = org;
    this.family = family;
  }

  call(method: string, path: string, body?: unknown, key = this.org.key): Promise<Answer> {
    return this.org[this.family](method, `/admin${path}`, { body, key });
  }

  inside(answer: Answer): unknown {
    return answer.at(this.family === 'org' ? 'data.data' : 'data');
  }

  single(item: unknown): unknown {
    return this.family === 'org' ? { data: { data: item } } : { data: item };
  }

  async make(body: Readonly<Record<string, unknown>> = {}): Promise<MadeClient> {
    const made = await this.call('POST', '/clients', {
      name: 'Client',
      redirectUris: ['https://app.example/cb'],
      ...body,
    });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return this.inside(made) as MadeClient;
  }

  /** One that gets tokens in its own name. */
  makeService(body: Readonly<Record<string, unknown>> = {}): Promise<MadeClient> {
    return this.make({ grantTypes: ['client_credentials'], redirectUris: [], ...body });
  }

  token(form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.form('/oauth/token', { grant_type: 'client_credentials', ...form }, headers);
  }

  form(
    path: string,
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    return this.org.service.call('POST', `/orgs/${this.org.organization.slug}/api/v1${path}`, {
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  /** Without any credential but a registration access token. */
  register(method: string, path: string, body?: unknown, token?: string): Promise<Answer> {
    const url = `/orgs/${this.org.organization.slug}/api/v1/connect/register${path}`;
    return this.org.service.call(method, url, { body, ...(token === undefined ? {} : { key: token }) });
  }

  async openRegistration(isOpen = true): Promise<void> {
    const body = { registration: { dynamic_client_registration_enabled: isOpen } };
    const answer = await this.org.org('PATCH', '/admin/settings/auth', { body });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }
}

/** The header of `client_secret_basic`, whose parts are form-encoded first (RFC 6749, 2.3.1). */
export function basic(clientId: string, clientSecret: string): { readonly authorization: string } {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  const pair = `${encode(clientId)}:${encode(clientSecret)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export const failed = {
  error: 'invalid_client',
  error_description: 'The client could not be authenticated.',
};

/** RFC 6749, 5.2: the same for every reason, with a challenge. */
export function expectInvalidClient(answer: Answer): void {
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 401, body: failed });
  expect(answer.headers.get('www-authenticate')).toBe('Basic realm="relata", charset="UTF-8"');
  expect(answer.headers.get('cache-control')).toBe('no-store');
}
