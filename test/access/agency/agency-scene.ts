import {
  agentRecords,
  elevationSubject,
  grant,
  mintAgentKey,
  type TaskRecord,
  taskRecords,
} from '../../../src/directory/records/index.ts';
import type { NewUser } from '../../identity/sessions/in-process-service.ts';
import { agreed } from '../../protocols/oauth/grants/issuing.ts';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { RelyingParty } from '../../protocols/oauth/relying-party.ts';
import type { Answer } from '../../server/running-service.ts';

export interface TestAgent {
  readonly id: string;
  readonly key: string;
}

/** What an agent may do for somebody at most. */
export interface Ceiling {
  readonly scopes: readonly string[];
  readonly resources?: readonly string[];
}

export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const delegationType = 'urn:relata:params:oauth:token-type:delegation';
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

/** Documents that people read and write, each by themselves. */
export const documents = [
  'model',
  '  schema 1.1',
  'type docs',
  '  relations',
  '    define viewer: [user, agent]',
  '    define editor: [user, agent]',
  '    define can_read: viewer',
  '    define can_write: editor',
].join('\n');

let count = 0;

export function tokenIn(answer: Answer): string {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.text('access_token');
}

/** An organization with an application of its own, in which agents act for people. */
export class AgencyScene {
  readonly provider: ClockedProvider;
  #app: Promise<RelyingParty> | undefined;

  private constructor(provider: ClockedProvider) {
    this.provider = provider;
  }

  static async start(slug: string, environment: Readonly<Record<string, string>> = {}): Promise<AgencyScene> {
    return AgencyScene.at(await ClockedProvider.start(slug, environment));
  }

  static async at(provider: ClockedProvider): Promise<AgencyScene> {
    await provider.organization.org('POST', '/zanzibar/models', { body: { dsl: documents } });
    return new AgencyScene(provider);
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
    this.#app ??= RelyingParty.register(this.provider, { name: 'App', scopes: ['openid', 'settings.manage'] });
    return (await agreed(this.provider, await this.#app, user, scopes)).access;
  }

  /** What an agent gets for a delegation, a task, or something else at the token endpoint. */
  exchange(agent: TestAgent, fields: Readonly<Record<string, string>>): Promise<Answer> {
    const own = { client_id: agent.id, client_secret: agent.key };
    return this.provider.form('token', { grant_type: tokenExchange, ...own, ...fields });
  }

  /** A token of an agent to which the user has delegated, by the user's own doing. */
  async delegated(user: NewUser, agent: TestAgent, ceiling: Ceiling): Promise<{ id: string; token: string }> {
    const body = { agentId: agent.id, ...ceiling };
    const made = await this.call(await this.token(user), 'POST', '/delegations', body);
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    const id = made.text('data.data.id');
    return {
      id,
      token: tokenIn(await this.exchange(agent, { subject_token: id, subject_token_type: delegationType })),
    };
  }

  /** Puts a task on record as it stands after an approval, with what was lent for it. */
  async lent(lender: NewUser, agent: TestAgent, ceiling: Ceiling, more: Partial<TaskRecord> = {}): Promise<string> {
    const { service, organization } = this.provider;
    const { store } = organization.organization;
    const now = service.clock.now();
    const { scopes, resources } = ceiling;
    const until = now + 300_000;
    const asked = resources === undefined ? { scopes } : { scopes, resources };
    const task: TaskRecord = {
      agentId: agent.id,
      description: 'A test',
      justifications: [],
      seconds: 300,
      status: 'approved',
      createdAt: now,
      expiresAt: now + 600_000,
      decided: { at: now, by: lender.id, byType: 'user' },
      grant: { lenderId: lender.id, until, ...asked },
      ...asked,
      ...more,
    };
    const id = `task-${++count}`;
    const tuples = scopes.map((slug) => ({ ...grant(slug, elevationSubject(id)), expiresAt: until }));
    const write = { op: 'write_tuples', store: store.name, tuples } as const;
    await service.submit([taskRecords.put(store, id, task), ...(task.status === 'approved' ? [write] : [])]);
    return id;
  }

  async elevated(lender: NewUser, agent: TestAgent, ceiling: Ceiling): Promise<{ id: string; token: string }> {
    const id = await this.lent(lender, agent, ceiling);
    return { id, token: tokenIn(await this.exchange(agent, { jit_task_id: id })) };
  }

  async check(token: string, permission: string, resource?: string): Promise<boolean> {
    const [type, id] = resource?.split(':') ?? [];
    const body = { permission, ...(resource === undefined ? {} : { resource: { type, id } }) };
    const answer = await this.call(token, 'POST', '/authz/check', body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.at('allowed') === true;
  }

  /** A call as whoever has the token. */
  call(token: string, method: string, path: string, body?: unknown) {
    return this.provider.organization.org(method, path, { key: token, ...(body === undefined ? {} : { body }) });
  }

  stop(): Promise<void> {
    return this.provider.service.stop();
  }
}
