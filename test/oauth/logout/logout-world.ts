import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyResult, jwtVerify } from 'jose';
import type { LogoutNotifier } from '../../../src/oauth/index.ts';
import { takePart } from '../../../src/sessions/index.ts';
import type { InProcessOrganization, InProcessService, NewUser, SignedIn } from '../../sessions/in-process-service.ts';
import { CallbackReceiver } from '../callback-receiver.ts';

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
