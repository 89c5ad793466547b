import { createHash, randomBytes } from 'node:crypto';
import type { Bench } from '../../suites/suite.ts';
import { clientForm } from '../oauth/oauth-site.ts';
import { type BenchClient, createPerson, registerClient } from '../oauth/registered.ts';
import { sendForm, textOf } from '../oauth/send-form.ts';
import { Visitor } from '../oauth/visitor.ts';
import { post } from '../post.ts';
import type { RunningServer } from '../server/running-service.ts';

const ORGANIZATION = 'agents';
const REDIRECT = 'https://application.example/callback';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const DELEGATION = 'urn:relata:params:oauth:token-type:delegation';

/** What everybody has, and what the person alone has and lends. */
export const permissions = { shared: 'docs:read', lent: 'docs:write' } as const;

interface Basis {
  readonly bench: Bench;
  readonly scratch: string;
  readonly service: RunningServer;
}

export interface LentTask {
  readonly id: string;
  readonly agent: BenchClient;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
}

/** An organization with a person, whose rights a rule lends to agents. */
export class AgentsSite {
  readonly bench: Bench;
  readonly scratch: string;
  readonly service: RunningServer;
  readonly #key: string;
  #person: { readonly id: string; readonly token: string } = { id: '', token: '' };

  private constructor({ bench, scratch, service }: Basis, key: string) {
    this.bench = bench;
    this.scratch = scratch;
    this.service = service;
    this.#key = key;
  }

  static async make(basis: Basis, platformKey: string): Promise<AgentsSite> {
    const body = JSON.stringify({ slug: ORGANIZATION, name: 'Agents' });
    const headers = { authorization: `Bearer ${platformKey}` };
    const created = await post(`${basis.service.url}/platform/api/v1/orgs`, headers, body);
    const site = new AgentsSite(basis, (created as { data: { adminApiKey: string } }).data.adminApiKey);
    for (const slug of Object.values(permissions)) await site.create('/admin/permissions', { slug, name: slug });
    await site.#signIn();
    await site.grant(Object.values(permissions), `user:${site.#person.id}`);
    const rule = { name: 'Lend', effect: 'approve', scopes: [permissions.lent], maxSeconds: 3600 };
    await site.create('/admin/elevations/rules', { ...rule, lenderId: site.#person.id });
    return site;
  }

  get issuer(): string {
    return `${this.service.url}/orgs/${ORGANIZATION}`;
  }

  get api(): string {
    return `${this.issuer}/api/v1`;
  }

  /** An agent that has what everybody has. */
  async agent(number: number): Promise<BenchClient> {
    const made = await this.create('/admin/agents', { name: `Agent ${number}`, permissions: [permissions.shared] });
    return { id: String(made.id), secret: String(made.apiKey) };
  }

  /** Three tokens of an agent: of its own, by a delegation of the person, and with what the person lends. */
  async tokens(agent: BenchClient) {
    const own = await this.token(agent, { grant_type: 'client_credentials' });
    const wish = { agentId: agent.id, scopes: [permissions.shared] };
    const { id } = await this.create('/delegations', wish, this.#person.token);
    const fields = { grant_type: EXCHANGE, subject_token: String(id), subject_token_type: DELEGATION };
    const { id: task } = await this.task(agent, 3600);
    return {
      own,
      delegated: await this.token(agent, fields),
      elevated: await this.elevatedToken({ id: task, agent }),
    };
  }

  /** Asks for what the rule lends. */
  async task(agent: BenchClient, seconds: number): Promise<LentTask> {
    const body = { task_description: 'A benchmark', required_scopes: [permissions.lent], duration: seconds };
    const answer = await this.asAgent(agent.secret, '/jit/task', body);
    if (answer.status !== 'approved') throw new Error(`a task was not approved: ${JSON.stringify(answer)}`);
    return { id: String(answer.task_id), agent, endsAt: Date.now() + Number(answer.expires_in) * 1000 };
  }

  elevatedToken({ id, agent }: Pick<LentTask, 'id' | 'agent'>): Promise<string> {
    return this.token(agent, { grant_type: EXCHANGE, jit_task_id: id });
  }

  async token(agent: BenchClient, fields: Readonly<Record<string, string>>): Promise<string> {
    return textOf(await sendForm(`${this.api}/oauth/token`, clientForm(agent, fields)), 'access_token');
  }

  async asAgent(credential: string, path: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const headers = { authorization: `Bearer ${credential}` };
    return (await post(this.api + path, headers, JSON.stringify(body))) as Readonly<Record<string, unknown>>;
  }

  /** Creates something and answers what is inside of the envelope. */
  async create(path: string, body: object, token = this.#key): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.asAgent(token, path, body);
    return (answer.data as { readonly data: Readonly<Record<string, unknown>> }).data;
  }

  async get(path: string): Promise<unknown> {
    const reply = await fetch(this.api + path, { headers: { authorization: `Bearer ${this.#key}` } });
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  }

  async grant(slugs: readonly string[], subject: string): Promise<void> {
    const writes = slugs.map((slug) => ({ object: `permission:${slug}`, relation: 'granted', subject }));
    await this.asAgent(this.#key, '/zanzibar/tuples', { writes });
  }

  /** A person signs in at an application of the organization. */
  async #signIn(): Promise<void> {
    const administration = { api: this.api, adminApiKey: this.#key };
    const person = await createPerson(administration, 0);
    const application = await registerClient(administration, {
      name: 'An application',
      grantTypes: ['authorization_code'],
      tokenEndpointAuthMethod: 'client_secret_post',
      redirectUris: [REDIRECT],
      scopes: [permissions.shared],
      skipConsent: true,
    });
    const visitor = new Visitor(this.issuer);
    await visitor.signIn(person);
    const verifier = randomBytes(32).toString('base64url');
    const question = new URLSearchParams({
      response_type: 'code',
      client_id: application.id,
      redirect_uri: REDIRECT,
      scope: permissions.shared,
      state: 's',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const { location } = await visitor.open(`${this.api}/oauth/authorize?${question}`);
    visitor.close();
    const code = new URL(location).searchParams.get('code') ?? '';
    const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: verifier };
    const token = await this.token(application, fields);
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
    this.#person = { id: claims.sub, token };
  }
}
