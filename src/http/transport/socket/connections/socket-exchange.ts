import type { Foreseen, HeadNotes, IncomingRequest } from '../../transport.ts';
import { textOf } from '../requests/octets.ts';
import { RecalledHead } from '../requests/recalled-head.ts';

const nothing = Buffer.alloc(0);

/** One request. Used again once its answer is complete: see `ExchangePool`. */
export class SocketExchange implements IncomingRequest, Foreseen {
  readonly head = new RecalledHead();
  method = '';
  path = '';
  id = '';
  route: unknown = undefined;
  startedAt = 0;
  handledAt = 0;
  added: Readonly<Record<string, string>> | undefined = undefined;
  #address = '';
  /** Where the body stands, if it has come with the head; a view of it is made for who asks. */
  octets: Buffer = nothing;
  bodyFrom = 0;
  bodyTo = 0;
  #body: Buffer | undefined = nothing;
  credentialSlot = -1;

  /** The head has been read. */
  begin(address: string, now: number): void {
    this.startedAt = now;
    this.method = this.head.method;
    this.path = this.head.path;
    this.#body = nothing;
    this.#address = address;
  }

  get body(): Buffer {
    this.#body ??= this.octets.subarray(this.bodyFrom, this.bodyTo);
    return this.#body;
  }

  set body(body: Buffer) {
    this.#body = body;
  }

  /** The body has come in one piece, and stands between two offsets. */
  bodyAt(octets: Buffer, from: number, to: number): void {
    this.octets = octets;
    this.bodyFrom = from;
    this.bodyTo = to;
    this.#body = undefined;
  }

  bodyText(): string {
    if (this.#body !== undefined) return this.#body.toString('latin1');
    return textOf(this.octets, this.bodyFrom, this.bodyTo);
  }

  get query(): string {
    return this.head.query;
  }

  get notes(): HeadNotes | undefined {
    return this.head.notes;
  }

  get credentialFrom(): number {
    return this.head.credentialFrom;
  }

  get credentialTo(): number {
    return this.head.credentialTo;
  }

  get foreseen(): Foreseen | undefined {
    return this.credentialSlot < 0 ? undefined : this;
  }

  header(name: string): string {
    return this.head.header(name);
  }

  peerAddress(): string {
    return this.#address;
  }

  /** It is handled in a later turn than the one in which it has come. */
  keep(): void {
    this.head.keep();
    this.body = Buffer.from(this.body);
  }

  clear(): void {
    this.head.clear();
    this.octets = this.#body = nothing;
    this.bodyFrom = this.bodyTo = 0;
    this.credentialSlot = -1;
    this.route = this.added = undefined;
  }
}

/** Most exchanges that wait for reuse: a burst must not leave its memory behind. */
const POOL_MAX = 256;

/** An exchange may only come back when nothing that was handed it can ask it anything more: once it is answered. */
export class ExchangePool {
  readonly #free: SocketExchange[] = [];

  take(): SocketExchange {
    return this.#free.pop() ?? new SocketExchange();
  }

  giveBack(exchange: SocketExchange): void {
    if (this.#free.length >= POOL_MAX) return;
    exchange.clear();
    this.#free.push(exchange);
  }
}
