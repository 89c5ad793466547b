import { agentRecords, mintAgentKey } from '../../../src/directory/records/index.ts';
import type { NewUser } from '../../identity/sessions/in-process-service.ts';
import { agreed } from '../../protocols/oauth/grants/issuing.ts';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { RelyingParty } from '../../protocols/oauth/relying-party.ts';

export interface TestAgent {
  readonly id: string;
  readonly key: string;
}

let count = 0;

/** An organization with an application of its own, in which agents act for people. */
export class AgencyScene {
  readonly provider: ClockedProvider;
  readonly app: RelyingParty;

  private constructor(provider: ClockedProvider, app: RelyingParty) {
    this.provider = provider;
    this.app = app;
  }

  static async start(slug: string, environment: Readonly<Record<string, string>> = {}): Promise<AgencyScene> {
    return AgencyScene.at(await ClockedProvider.start(slug, environment));
  }

  static async at(provider: ClockedProvider): Promise<AgencyScene> {
    const app = await RelyingParty.register(provider, { name: 'App', scopes: ['openid', 'settings.manage'] });
    return new AgencyScene(provider, app);
  }

  /** With permissions of its own, each made where it is missing. */
  async user(...permissions: readonly string[]): Promise<NewUser> {
    const user = await this.provider.organization.newUser(`person${++count}@example.com`);
    for (const slug of permissions) await this.grant(slug, `user:${user.id}`);
    return user;
  }

  async agent(...permissions: readonly string[]): Promise<TestAgent> {
    const { service, organization } = this.provider;
    const { key, kept } = mintAgentKey();
    const id = `agent-${++count}`;
    const now = service.clock.now();
    const document = { name: `Agent ${count}`, type: 'bot', isActive: true, createdBy: 'platform', ...kept } as const;
    const { store } = organization.organization;
    await service.submit([agentRecords.put(store, id, { ...document, createdAt: now, updatedAt: now })]);
    for (const slug of permissions) await this.grant(slug, `agent:${id}`);
    return { id, key };
  }

  /** A permission that there is, whoever holds it. */
  async permission(slug: string): Promise<void> {
    const answer = await this.provider.admin('POST', '/admin/permissions', { slug, name: slug });
    if (answer.status !== 201 && answer.status !== 409) throw new Error(JSON.stringify(answer.body));
  }

  async grant(slug: string, subject: string, op: 'writes' | 'deletes' = 'writes'): Promise<void> {
    if (op === 'writes') await this.permission(slug);
    await this.tuples(op, { object: `permission:${slug}`, relation: 'granted', subject });
  }

  async tuples(op: 'writes' | 'deletes', ...tuples: readonly object[]): Promise<void> {
    const answer = await this.provider.organization.org('POST', '/zanzibar/tuples', { body: { [op]: tuples } });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  }

  /** A user's access token of the organization's own application. */
  async token(user: NewUser, scopes: readonly string[] = ['settings.manage']): Promise<string> {
    return (await agreed(this.provider, this.app, user, scopes)).access;
  }

  /** A call as whoever has the token. */
  call(token: string, method: string, path: string, body?: unknown) {
    return this.provider.organization.org(method, path, { key: token, ...(body === undefined ? {} : { body }) });
  }

  stop(): Promise<void> {
    return this.provider.service.stop();
  }
}
