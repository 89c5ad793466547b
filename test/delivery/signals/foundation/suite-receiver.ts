import { expect } from 'vitest';
import type { Answer } from '../../../server/running-service.ts';
import type { PushWorld } from '../push-world.ts';
import { caep, poll, push, Receiver, verification } from '../transmitter-world.ts';
import { checkedSet } from './set-checks.ts';

/** The ways of delivery of the plan, by the names of its variants. */
export type Delivery = 'push' | 'poll';

export interface Stream {
  readonly stream_id: string;
  readonly iss: string;
  readonly aud: string;
  readonly events_delivered: readonly string[];
  readonly delivery: { readonly method: string; readonly endpoint_url: string };
  readonly min_verification_interval: number;
}

const requested = [`${caep}/session-revoked`, `${caep}/credential-change`, `${caep}/device-compliance-change`];
const authorization = 'Bearer of-the-suite-0123456789';
let paths = 0;

/** The receiver that the conformance suite of the OpenID Foundation plays. */
export class SuiteReceiver {
  readonly world: PushWorld;
  readonly client: Receiver;
  readonly delivery: Delivery;
  readonly path = `/suite-${++paths}`;
  /** The headers of `Authorization` that came. */
  readonly authorizations: (string | undefined)[] = [];
  #seen = 0;

  private constructor(world: PushWorld, client: Receiver, delivery: Delivery) {
    this.world = world;
    this.client = client;
    this.delivery = delivery;
    world.address.behaviours.set(this.path, (request, answer) => {
      this.authorizations.push(request.headers.authorization);
      expect(request.method).toBe('POST');
      expect(request.headers).toMatchObject({ 'content-type': 'application/secevent+jwt', accept: 'application/json' });
      answer.writeHead(202).end();
    });
  }

  static async open(world: PushWorld, delivery: Delivery): Promise<SuiteReceiver> {
    return new SuiteReceiver(world, await Receiver.open(world.provider), delivery);
  }

  /** What it says of a stream. @param isAnonymous no header is sent with pushes */
  config(isAnonymous = false): object {
    const pushed = {
      method: push,
      endpoint_url: this.world.address.url(this.path),
      ...(isAnonymous ? {} : { authorization_header: authorization }),
    };
    return {
      description: 'Stream of the suite',
      events_requested: requested,
      delivery: this.delivery === 'push' ? pushed : { method: poll },
    };
  }

  async stream(isAnonymous = false): Promise<Stream> {
    const made = await this.client.call('POST', '/stream', this.config(isAnonymous));
    expect(made.status).toBe(201);
    await this.world.settle();
    return made.body as Stream;
  }

  /** Asks for a verification event, no sooner than it may. Answers its state. */
  async verify({ stream_id: id, min_verification_interval: seconds }: Stream): Promise<string> {
    this.world.provider.service.clock.advance(seconds * 1000);
    const state = `state-${++paths}`;
    expect((await this.client.call('POST', '/verify', { stream_id: id, state })).status).toBe(204);
    return state;
  }

  setStatus({ stream_id: id }: Stream, status: string): Promise<Answer> {
    return this.client.call('POST', '/status', { stream_id: id, status });
  }

  /** What has come since the last call: every token of it is checked. It is acknowledged where that is said. */
  async received(stream: Stream, acknowledges = true) {
    const keys = await this.world.provider.keySet();
    const checked = (token: string) => checkedSet(token, keys, stream, this.world.provider.now());
    if (this.delivery === 'push') {
      await this.world.settle();
      const come = this.world.address.at(this.path).slice(this.#seen);
      this.#seen += come.length;
      return Promise.all(come.map(({ body }) => checked(body)));
    }
    const sets = await this.sets(stream, {});
    if (acknowledges) await this.sets(stream, { ack: Object.keys(sets), maxEvents: 0 });
    return Promise.all(Object.values(sets).map(checked));
  }

  /** One poll, as RFC 8936, 2.3 and 2.5, wants its answer. */
  async sets(stream: Stream, body: object): Promise<Readonly<Record<string, string>>> {
    expect(stream.delivery.endpoint_url).toContain(stream.stream_id);
    const answer = await this.client.poll(stream.stream_id, body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('application/json');
    const { sets, moreAvailable } = answer.body as { sets: Record<string, string>; moreAvailable?: unknown };
    expect(['undefined', 'boolean']).toContain(typeof moreAvailable);
    return sets;
  }

  /** The one verification event that came, with its state. */
  async verified(stream: Stream, state: string, acknowledges = true): Promise<void> {
    const events = await this.received(stream, acknowledges);
    expect(events.map(({ sub_id, events: said }) => ({ sub_id, said }))).toEqual([
      { sub_id: { format: 'opaque', id: stream.stream_id }, said: { [verification]: { state } } },
    ]);
  }
}

export { authorization as suiteAuthorization };
