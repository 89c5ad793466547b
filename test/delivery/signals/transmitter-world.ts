import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose';
import type { InProcessOrganization, NewUser } from '../../identity/sessions/in-process-service.ts';
import type { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import type { Answer } from '../../server/running-service.ts';

export const push = 'urn:ietf:rfc:8935';
export const poll = 'urn:ietf:rfc:8936';
export const caep = 'https://schemas.openid.net/secevent/caep/event-type';
export const risc = 'https://schemas.openid.net/secevent/risc/event-type';
export const verification = 'https://schemas.openid.net/secevent/ssf/event-type/verification';

export const streamUpdated = 'https://schemas.openid.net/secevent/ssf/event-type/stream-updated';

/** A security event token, as a receiver reads it that has nothing but `jose`. */
export interface ReceivedEvent extends JWTPayload {
  readonly jti: string;
  readonly sub_id: Readonly<Record<string, unknown>>;
  readonly events: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A client of an organization that receives its security events. */
export class Receiver {
  readonly provider: ClockedProvider;
  readonly clientId: string;
  readonly secret: string;
  #token = '';
  #issuedAt = Number.NEGATIVE_INFINITY;

  constructor(provider: ClockedProvider, client: { readonly id: string; readonly secret: string }) {
    this.provider = provider;
    this.clientId = client.id;
    this.secret = client.secret;
  }

  static async open(provider: ClockedProvider, scopes: readonly string[] = ['ssf.manage']): Promise<Receiver> {
    return new Receiver(provider, await provider.client(scopes));
  }

  /** The next request asks for another one. */
  forgetToken(): void {
    this.#issuedAt = Number.NEGATIVE_INFINITY;
  }

  get organization(): InProcessOrganization {
    return this.provider.organization;
  }

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const now = this.provider.now();
    if (now - this.#issuedAt > 300_000) {
      this.#token = await this.provider.token({ id: this.clientId, secret: this.secret });
      this.#issuedAt = now;
    }
    return this.organization.org(method, `/ssf${path}`, {
      key: this.#token,
      ...(body === undefined ? {} : { body }),
    });
  }

  async stream(body: object = {}): Promise<string> {
    const made = await this.call('POST', '/stream', body);
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.text('stream_id');
  }

  poll(streamId: string, body: object = {}): Promise<Answer> {
    return this.call('POST', `/poll/${streamId}`, { returnImmediately: true, ...body });
  }

  /** What waits, verified, in the order of the answer; acknowledged where that is said. */
  async take(streamId: string, acknowledges = true): Promise<ReceivedEvent[]> {
    const answer = await this.poll(streamId);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    const sets = answer.at('sets') as Readonly<Record<string, string>>;
    const events: ReceivedEvent[] = [];
    for (const [jti, token] of Object.entries(sets)) {
      const event = await this.verify(token);
      if (event.jti !== jti) throw new Error(`${jti} is ${event.jti}`);
      events.push(event);
    }
    if (acknowledges) await this.poll(streamId, { maxEvents: 0, ack: Object.keys(sets) });
    return events;
  }

  async verify(token: string): Promise<ReceivedEvent> {
    const keys = createLocalJWKSet({ keys: await this.provider.keySet() } as unknown as JSONWebKeySet);
    const { payload } = await jwtVerify(token, keys, {
      issuer: this.provider.issuer,
      audience: this.clientId,
      typ: 'secevent+jwt',
      algorithms: ['RS256'],
      currentDate: new Date(this.provider.now()),
    });
    return payload as unknown as ReceivedEvent;
  }
}

export function subjectOf(provider: ClockedProvider, user: Pick<NewUser, 'id'>) {
  return { format: 'iss_sub', iss: provider.issuer, sub: user.id };
}
