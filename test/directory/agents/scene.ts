import type { InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../server/running-service.ts';

export interface MadeAgent {
  readonly id: string;
  readonly apiKey: string;
  readonly subject: string;
}

/** The agents of one organization, as its administrator and as themselves. */
export class AgentScene {
  readonly org: InProcessOrganization;

  constructor(org: InProcessOrganization) {
    this.org = org;
  }

  static async at(service: InProcessService, slug: string): Promise<AgentScene> {
    return new AgentScene(await service.organization(slug));
  }

  get slug(): string {
    return this.org.organization.slug;
  }

  admin(method: string, path: string, body?: unknown, key = this.org.key): Promise<Answer> {
    return this.org.tenant(method, `/admin${path}`, { key, ...(body === undefined ? {} : { body }) });
  }

  /** Requires success. */
  async make(body: Readonly<Record<string, unknown>> = {}): Promise<MadeAgent> {
    const made = await this.admin('POST', '/agents', { name: 'Agent', ...body });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.at('data') as MadeAgent;
  }

  /** Permissions of the organization's own. */
  async permissions(...slugs: readonly string[]): Promise<void> {
    for (const slug of slugs) {
      const made = await this.admin('POST', '/permissions', { slug, name: slug });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    }
  }

  /** As an administrator who has nothing but these permissions. */
  narrow(...permissions: string[]): Promise<string> {
    return this.org.newKey(...permissions);
  }

  tokenForm(form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.org.service.call('POST', `/orgs/${this.slug}/api/v1/oauth/token`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
    });
  }

  /** An access token of the agent's own. */
  async token({ id, apiKey }: MadeAgent, scope?: string): Promise<string> {
    const form = { client_id: id, client_secret: apiKey, ...(scope === undefined ? {} : { scope }) };
    const answer = await this.tokenForm(form);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.text('access_token');
  }

  /** Status of a request with a credential. */
  async status(credential: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    return (
      await this.org.tenant('GET', '/authz/permissions', { key: credential, headers: withKey(credential, headers) })
    ).status;
  }

  /** Whether the engine gives somebody a permission. */
  async holds(subject: string, permission: string): Promise<boolean> {
    const answer = await this.org.tenant('POST', '/authz/check', { body: { permission, subject } });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.at('allowed') === true;
  }
}

function withKey(key: string, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}`, ...headers };
}
