import type { NewUser } from '../../../identity/sessions/in-process-service.ts';
import { ClockedProvider } from '../in-process.ts';
import { RelyingParty } from '../relying-party.ts';
import { type Agreed, agreed } from './issuing.ts';

export const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const accessToken = 'urn:ietf:params:oauth:token-type:access_token';

let users = 0;

/** The application that a user signs in at, an agent that may act with its tokens, and one that may not. */
export class ExchangeScene {
  readonly provider: ClockedProvider;
  readonly app: RelyingParty;
  readonly agent: RelyingParty;
  readonly stranger: RelyingParty;
  readonly user: NewUser;

  private constructor(dependencies: Pick<ExchangeScene, 'provider' | 'app' | 'agent' | 'stranger' | 'user'>) {
    this.provider = dependencies.provider;
    this.app = dependencies.app;
    this.agent = dependencies.agent;
    this.stranger = dependencies.stranger;
    this.user = dependencies.user;
  }

  static async start(slug: string): Promise<ExchangeScene> {
    const provider = await ClockedProvider.start(slug);
    const scopes = ['users.read', 'roles.read', 'docs:read', 'openid', 'offline_access'];
    const acts = {
      grantTypes: [exchange, 'client_credentials'],
      redirectUris: [],
      scopes: ['users.read', 'docs:read'],
    };
    const agent = await RelyingParty.register(provider, { name: 'Agent', permissions: ['users.read'], ...acts });
    const stranger = await RelyingParty.register(provider, { name: 'Stranger', ...acts });
    const grantTypes = ['authorization_code', 'refresh_token', exchange];
    const app = await RelyingParty.register(provider, { name: 'App', scopes, grantTypes, mayAct: [agent.id] });
    const user = await newUser(provider, ['users.read', 'roles.read']);
    return new ExchangeScene({ provider, app, agent, stranger, user });
  }

  newUser(permissions: readonly string[] = []): Promise<NewUser> {
    return newUser(this.provider, permissions);
  }

  /** Gives a permission to a subject, or takes it away. */
  grant(permission: string, subject: string, op?: 'writes' | 'deletes'): Promise<void> {
    return grant(this.provider, permission, subject, op);
  }

  session(who = this.user, scopes = ['users.read', 'roles.read', 'openid', 'offline_access']): Promise<Agreed> {
    return agreed(this.provider, this.app, who, scopes);
  }

  /** The answer to an exchange; the client authenticates in the form. */
  async exchanged(by: RelyingParty, subject: string, more: Readonly<Record<string, string>> = {}) {
    const answer = await this.provider.form('token', {
      grant_type: exchange,
      client_id: by.id,
      client_secret: by.secret ?? '',
      subject_token: subject,
      subject_token_type: accessToken,
      ...more,
    });
    const text = (name: string) => (typeof answer.at(name) === 'string' ? answer.text(name) : '');
    return { status: answer.status, error: text('error'), token: text('access_token'), scope: text('scope'), answer };
  }

  /** A token that a client has for itself. */
  own(by: RelyingParty): Promise<string> {
    return this.provider.token({ id: by.id, secret: by.secret ?? '' });
  }

  async isGood(token: string): Promise<boolean> {
    return (await this.provider.status(token)) === 200;
  }

  stop(): Promise<void> {
    return this.provider.service.stop();
  }
}

async function newUser(provider: ClockedProvider, permissions: readonly string[]): Promise<NewUser> {
  const made = await provider.organization.newUser(`exchange${++users}@example.com`);
  for (const permission of permissions) await grant(provider, permission, `user:${made.id}`);
  return made;
}

async function grant(
  { organization }: ClockedProvider,
  permission: string,
  subject: string,
  op: 'writes' | 'deletes' = 'writes',
): Promise<void> {
  const tuple = { object: `permission:${permission}`, relation: 'granted', subject };
  const answer = await organization.org('POST', '/zanzibar/tuples', { body: { [op]: [tuple] } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}
