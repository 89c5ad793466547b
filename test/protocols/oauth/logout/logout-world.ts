import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, type JWTVerifyResult, jwtVerify, SignJWT } from 'jose';
import { takePart } from '../../../../src/identity/sessions/index.ts';
import { digestOf } from '../../../../src/platform/index.ts';
import type { LogoutNotifier } from '../../../../src/protocols/oauth/index.ts';
import { FormBrowser } from '../../../browser/form-browser.ts';
import type {
  InProcessOrganization,
  InProcessService,
  NewUser,
  SignedIn,
} from '../../../identity/sessions/in-process-service.ts';
import { CallbackReceiver } from '../callback-receiver.ts';

export const baseUrl = 'https://id.example.test';

/** An organization whose clients listen for the ends of sessions. */
export class LogoutWorld {
  readonly service: InProcessService;
  readonly org: InProcessOrganization;
  readonly receiver: CallbackReceiver;
  notifier: LogoutNotifier;
  #count = 0;

  private constructor(service: InProcessService, org: InProcessOrganization, receiver: CallbackReceiver) {
    this.service = service;
    this.org = org;
    this.receiver = receiver;
    this.notifier = service.newLogoutNotifier();
  }

  static async open(service: InProcessService, slug: string): Promise<LogoutWorld> {
    return new LogoutWorld(service, await service.organization(slug), await CallbackReceiver.open());
  }

  async client(fields: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const name = `Client ${++this.#count}`;
    const body = { name, redirectUris: ['https://app.example/cb'], backchannelLogoutUri: this.address(), ...fields };
    const made = await this.org.tenant('POST', '/admin/clients', { body });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.text('data.clientId');
  }

  address(path = '/backchannel'): string {
    return this.receiver.url + path;
  }

  /** Signs in, and tells these clients of it, as redeeming a code does. */
  async signIn(user: NewUser, ...clientIds: readonly string[]): Promise<SignedIn> {
    const session = await this.org.signIn(user);
    const { store } = this.org.organization;
    const changes = this.service.read(() =>
      clientIds.flatMap((clientId) => takePart(store, { sessionId: session.id, userId: user.id, clientId })),
    );
    await this.service.submit(changes);
    return session;
  }

  /** A browser in which somebody is signed in. */
  browser(session?: SignedIn): FormBrowser {
    const browser = new FormBrowser({ origin: baseUrl, listensAt: this.service.url });
    if (session === undefined) return browser;
    const { id, slug } = this.org.organization;
    const name = `__Secure-relata_session_${digestOf(id).slice(0, 12)}`;
    browser.cookies.take(new URL(baseUrl), [
      `${name}=${session.secret}; Path=/orgs/${slug}/; HttpOnly; SameSite=Lax; Secure`,
      `relata_state_${slug}=somebody; Path=/orgs/${slug}/; SameSite=None; Secure`,
    ]);
    return browser;
  }

  /** One look of the service's main thread, to the end of what it begins. */
  async notify(): Promise<void> {
    await this.service.sweep();
    let before = -1;
    while (before < this.receiver.received.length) {
      before = this.receiver.received.length;
      await this.notifier.look();
      await this.notifier.idle();
    }
  }

  /** What the clients were told since the last time, proved by the provider's key set. */
  async told(): Promise<JWTVerifyResult[]> {
    const { slug } = this.org.organization;
    const keySet = await this.service.call('GET', `/orgs/${slug}/api/v1/oauth/jwks`);
    const keys = createLocalJWKSet(keySet.body as JSONWebKeySet);
    const received = this.receiver.received.splice(0);
    const currentDate = new Date(this.service.clock.now());
    return Promise.all(
      received.map(({ fields }) => jwtVerify(fields.get('logout_token') ?? '', keys, { currentDate })),
    );
  }

  /** An ID token as the provider has issued it, or as somebody would like it to have been. */
  async idToken(claims: JWTPayload, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { organization } = this.org;
    const signer = await this.service.signingKeys().signer(organization, 'RS256');
    const now = Math.floor(this.service.clock.now() / 1000);
    return new SignJWT({ iss: this.issuer, iat: now, exp: now + 3600, ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: signer.kid, ...header })
      .sign(signer.key.key);
  }

  get issuer(): string {
    return `${baseUrl}/orgs/${this.org.organization.slug}`;
  }

  get endpoint(): string {
    return `${this.issuer}/api/v1/oauth/end_session`;
  }

  /** Deliveries, notices and participations that the organization still has. */
  left(): string[] {
    const { name } = this.org.organization.store;
    const collections = ['session_clients', 'session_ends', 'logout_deliveries'];
    return collections.flatMap((each) => this.service.idsOf(name, each).map((id) => `${each}/${id}`));
  }

  async close(): Promise<void> {
    await this.notifier.stop();
    await this.receiver.close();
  }
}
