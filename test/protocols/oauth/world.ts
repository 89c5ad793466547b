import * as oauth from 'oauth4webapi';
import { type Answer, type Organization, RunningService } from '../../server/running-service.ts';
import { sharedService } from '../../server/shared-service.ts';

/** What a test registers; the rest is as the service has it. */
export interface ClientWish {
  readonly scopes?: readonly string[];
  /** Slugs of permissions that the client itself is granted. */
  readonly permissions?: readonly string[];
  readonly roles?: readonly string[];
  readonly type?: 'confidential' | 'public';
  readonly grantTypes?: readonly string[];
  readonly redirectUris?: readonly string[];
}

export interface TestClient {
  readonly id: string;
  readonly secret: string;
}

/** One organization's provider, as programs meet it. */
export class Provider {
  readonly organization: Organization;
  readonly issuer: string;

  constructor(organization: Organization) {
    this.organization = organization;
    this.issuer = `${organization.service.url}/orgs/${organization.slug}`;
  }

  /** On the shared service, where no environment is given. */
  static async start(slug: string, environment?: Readonly<Record<string, string>>): Promise<Provider> {
    const service = environment === undefined ? await sharedService() : await RunningService.start(environment);
    return new Provider(await service.organization(slug));
  }

  get api(): string {
    return `${this.issuer}/api/v1`;
  }

  get listensAt(): string {
    return this.organization.service.url;
  }

  admin(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.organization.call(method, path, body === undefined ? {} : { body });
  }

  async client(wish: ClientWish = {}): Promise<TestClient> {
    const body = { name: 'A program', grantTypes: ['client_credentials'], ...wish };
    const made = await this.organization.post('/admin/clients', body);
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return { id: made.text('data.clientId'), secret: made.text('data.clientSecret') };
  }

  /** A token of a client that acts for itself. */
  async token(client: TestClient, scope?: string): Promise<string> {
    const answer = await this.form('/oauth/token', {
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.secret,
      ...(scope === undefined ? {} : { scope }),
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.text('access_token');
  }

  /** Sends a form to an endpoint of the organization's API. */
  form(path: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) {
    return this.raw(path, new URLSearchParams(fields).toString(), headers);
  }

  raw(path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.organization.service.call('POST', `/orgs/${this.organization.slug}/api/v1${path}`, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  /** A request with an access token. */
  withToken(method: string, path: string, token: string, body?: unknown): Promise<Answer> {
    return this.organization.call(method, path, { key: token, ...(body === undefined ? {} : { body }) });
  }

  /** What the client library finds out about this provider by itself. */
  async discovered(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.issuer);
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    return oauth.processDiscoveryResponse(issuer, response);
  }

  async stop(): Promise<void> {
    const { service } = this.organization;
    if (service instanceof RunningService) await service.remove();
  }
}

/** The tests speak HTTP over loopback. */
export const insecure = { [oauth.allowInsecureRequests]: true } as const;

export function basic({ id, secret }: TestClient): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}
