import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../server/running-service.ts';

import { fetchOf } from './relying-party.ts';

/** Where the service of these tests believes to be reached. */
export const baseUrl = 'https://id.example.test';

/** A provider whose clock the test moves. */
export class ClockedProvider {
  readonly service: InProcessService;
  readonly organization: InProcessOrganization;

  private constructor(service: InProcessService, organization: InProcessOrganization) {
    this.service = service;
    this.organization = organization;
  }

  static async start(
    slug: string,
    environment: Readonly<Record<string, string>> = {},
    given: Parameters<typeof InProcessService.start>[1] = {},
  ): Promise<ClockedProvider> {
    const limits = { RELATA_LIMIT_RATE_REFUSED: '0' };
    const service = await InProcessService.start({ RELATA_BASE_URL: baseUrl, ...limits, ...environment }, given);
    return new ClockedProvider(service, await service.organization(slug));
  }

  /** Another organization of the same service. */
  async neighbour(slug: string): Promise<ClockedProvider> {
    return new ClockedProvider(this.service, await this.service.organization(slug));
  }

  get issuer(): string {
    return `${baseUrl}/orgs/${this.organization.organization.slug}`;
  }

  get listensAt(): string {
    return this.service.url;
  }

  now(): number {
    return this.service.clock.now();
  }

  /** Fetches an address of the provider, by its public name. */
  fetch(address: string, init: RequestInit): Promise<Response> {
    return fetchOf(this)(address, init);
  }

  admin(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.organization.tenant(method, path, body === undefined ? {} : { body });
  }

  async client(scopes: readonly string[], permissions: readonly string[] = []) {
    const body = { name: 'A program', grantTypes: ['client_credentials'], scopes, permissions };
    const made = await this.organization.tenant('POST', '/admin/clients', { body });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return { id: made.text('data.clientId'), secret: made.text('data.clientSecret') };
  }

  form(path: string, fields: Readonly<Record<string, string>>) {
    const slug = this.organization.organization.slug;
    return this.service.call('POST', `/orgs/${slug}/api/v1/oauth/${path}`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  }

  async token({ id, secret }: { readonly id: string; readonly secret: string }): Promise<string> {
    const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
    const answer = await this.form('token', fields);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.text('access_token');
  }

  /** What a request with this token answers. */
  async status(token: string, path = '/authz/permissions'): Promise<number> {
    return (await this.organization.org('GET', path, { key: token })).status;
  }

  /** The key set, as everybody sees it. */
  async keySet(): Promise<readonly Readonly<Record<string, string>>[]> {
    const answer = await this.service.call('GET', `/orgs/${this.organization.organization.slug}/api/v1/oauth/jwks`);
    return answer.at('keys') as Readonly<Record<string, string>>[];
  }
}
