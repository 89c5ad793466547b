import { type Organization, platformKey, type RunningService } from '../server/running-service.ts';
import type { Example, World } from './example.ts';
import { examples } from './examples/index.ts';
import type { Operation } from './operations.ts';

const scimSettings = { enabled: true, provisioning: { delete_users: true } };

/** An access token, and the client that it was issued to. */
export interface Issued {
  readonly token: string;
  readonly clientId: string;
}

/** A token that speaks SCIM and does nothing else. */
export interface ScimToken {
  readonly token: string;
  readonly id: string;
}

export const familyOf = ({ path }: Operation): 'org' | 'tenant' => (path.startsWith('/orgs/') ? 'org' : 'tenant');

export function exampleOf(operation: Operation) {
  return examples[`${familyOf(operation)} ${operation.name}`] ?? examples[operation.name];
}

/** What a request sends. */
export function sent({ body, form, headers = {} }: Example) {
  if (form === undefined) return { body, headers };
  const type = 'application/x-www-form-urlencoded';
  return { body: new URLSearchParams(form).toString(), headers: { 'content-type': type, ...headers } };
}

/** Plays examples in one organization, as its administrator. */
export class Player {
  readonly service: Pick<RunningService, 'call' | 'url'>;
  readonly organization: Organization;
  /** Of a client that receives security events. */
  receiver: Issued = { token: '', clientId: '' };
  scim: ScimToken = { token: '', id: '' };
  #count = 0;

  constructor(service: Pick<RunningService, 'call' | 'url'>, organization: Organization) {
    this.service = service;
    this.organization = organization;
  }

  /** The credentials of others than administrators. */
  async begin(): Promise<void> {
    await this.newScimToken();
    this.receiver = await this.#issue(['ssf.manage']);
  }

  async newScimToken(): Promise<void> {
    // examples write the settings, too
    await this.organization.call('PATCH', '/admin/settings/scim', { body: scimSettings });
    const made = await this.organization.post('/admin/settings/scim/tokens', { name: 'walk' });
    this.scim = { token: made.text('data.token'), id: made.text('data.id') };
  }

  url({ path }: Operation, example: Example): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const isOrganization = name === 'tenant' || name === 'orgId';
      return encodeURIComponent(isOrganization ? this.organization.slug : (example.params?.[name] ?? 'unknown'));
    });
    return filled + (example.query ?? '');
  }

  /** As the administrator of whatever the operation belongs to. */
  keyFor({ access }: Operation): string | undefined {
    if (access === 'public') return undefined;
    if (access === 'scope scim') return this.scim.token;
    if (access.startsWith('scope ssf.')) return this.receiver.token;
    return access === 'platform' ? platformKey : this.organization.key;
  }

  worldOf(operation: Operation): World {
    const { service, organization } = this;
    const { slug, key } = organization;
    const family = familyOf(operation);
    return {
      service,
      organization,
      family,
      fresh: (prefix) => `${prefix}${++this.#count}`,
      async make(method, path, body) {
        const base = family === 'org' ? `/orgs/${slug}` : `/t/${slug}`;
        const answer = await service.call(method, `${base}/api/v1${path}`, { key, body });
        if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.at(family === 'org' ? 'data.data' : 'data') as Record<string, unknown>;
      },
      provision: async (path, body) => {
        await organization.call('PATCH', '/admin/settings/scim', { body: scimSettings });
        const base = family === 'org' ? `/orgs/${slug}/scim2.0` : `/t/${slug}/scim/v2`;
        const answer = await service.call('POST', base + path, { key: this.scim.token, body });
        if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.body as Record<string, unknown>;
      },
      stream: async () => {
        // other examples end the tokens of everybody
        this.receiver = await this.#issue(['ssf.manage']);
        const path = `/orgs/${slug}/api/v1/ssf/stream`;
        const answer = await service.call('POST', path, { key: this.receiver.token, body: {} });
        if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.text('stream_id');
      },
    };
  }

  async #issue(scopes: readonly string[]): Promise<Issued> {
    const client = { name: 'A receiver', grantTypes: ['client_credentials'], scopes };
    const made = await this.organization.post('/admin/clients', client);
    const clientId = made.text('data.clientId');
    const fields = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: made.text('data.clientSecret'),
    };
    const answer = await this.service.call('POST', `/orgs/${this.organization.slug}/api/v1/oauth/token`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    return { token: answer.text('access_token'), clientId };
  }
}
