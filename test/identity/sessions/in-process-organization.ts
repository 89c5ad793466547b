import { sequenceId } from '../../../engine/index.ts';
import { liveToken, type TokenEntry, type TokenGrant } from '../../../src/identity/sessions/index.ts';
import { eventRecords, type StoredEvent } from '../../../src/kernel/events/index.ts';
import type { Organization } from '../../../src/kernel/organizations/index.ts';
import type { Answer, CallOptions } from '../../server/running-service.ts';
import type { InProcessService } from './in-process-service.ts';

/** An organization of it, called as its administrator in either family. */
export class InProcessOrganization {
  readonly service: InProcessService;
  readonly organization: Organization;
  readonly key: string;

  constructor(service: InProcessService, organization: Organization, key: string) {
    this.service = service;
    this.organization = organization;
    this.key = key;
  }

  org(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return this.service.call(method, `/orgs/${this.organization.slug}/api/v1${path}`, { key: this.key, ...options });
  }

  tenant(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    return this.service.call(method, `/t/${this.organization.slug}/api/v1${path}`, { key: this.key, ...options });
  }

  async newKey(...permissions: string[]): Promise<string> {
    const made = await this.tenant('POST', '/admin/api-keys', { body: { name: 'test', permissions } });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.text('data.key');
  }

  async newUser(email: string): Promise<NewUser> {
    const made = await this.org('POST', '/admin/users', { body: { email } });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    const id = made.text('data.data.id');
    return { id, email };
  }

  /** A session that has begun, however: for tests of what follows from one. */
  async signIn(user: NewUser, how: Partial<SignedInHow> = {}): Promise<SignedIn> {
    const { sessions } = this.service.signedIn;
    const signIn = { userId: user.id, ...signInDefaults, ...how };
    const started = await this.service.commit(() => sessions.begin(this.organization.store, signIn));
    if (started === undefined) throw new Error(`${user.email} may not sign in`);
    return { id: started.session.id, secret: started.secret };
  }

  /** A token on record; `undefined` where its session has ended. */
  async issue(grant: TokenGrant): Promise<TokenEntry | undefined> {
    const { tokens } = this.service.signedIn;
    return (await this.service.commit(() => tokens.begin(this.organization.store, grant)))?.token;
  }

  /** What has happened since the event with this number, in order. */
  eventsAfter(position: number): StoredEvent[] {
    const { store } = this.organization;
    const entries = this.service.read(() => eventRecords.list(store, { after: sequenceId(position) }));
    return entries.map(({ document }) => document);
  }

  /** The number of the last event. */
  lastEvent(): number {
    const { store } = this.organization;
    return this.service.read(() => eventRecords.appended(store));
  }

  /** Whether the browser with this secret is still signed in. */
  isSignedIn({ secret }: SignedIn): boolean {
    const { sessions } = this.service.signedIn;
    return this.service.read(() => sessions.find(this.organization.store, secret)) !== undefined;
  }
}

/** Whether a resource server would still take the token. */
export function isGoodToken({ service, organization }: InProcessOrganization, id: string): boolean {
  return service.read(() => liveToken(organization.store, id, service.clock.now())) !== undefined;
}

export interface NewUser {
  readonly id: string;
  readonly email: string;
}

export interface SignedIn {
  readonly id: string;
  readonly secret: string;
}

type SignedInHow = typeof signInDefaults;

const signInDefaults = {
  authMethod: 'password' as 'password' | 'social' | 'sso',
  mfaVerified: false,
  ipAddress: '192.0.2.7',
  userAgent:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
};

/** Of the request that signs in. */
export const facts = { requestId: 'test', header: () => '', clientAddress: () => '192.0.2.7' };
