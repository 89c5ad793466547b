import { normaliseAddress } from '../../../platform/index.ts';
import type { Waiting } from '../body-deadlines.ts';
import { chunked, contradictory, type FramingHeaders, judgeFraming } from '../framing.ts';
import { discardBytes, GatheredBody } from '../gathered-body.ts';
import type { IncomingRequest, Outgoing, Refusal } from '../transport.ts';
import { writeAnswer, writeLarge, writeStream } from './uws-answer.ts';
import type { HttpRequest, HttpResponse } from './uws-binding.ts';
import type { UwsServer } from './uws-server.ts';

const empty = Buffer.alloc(0);

/** Answers longer than this are handed to the network piece by piece instead of being copied at once. */
const largeBytes = 65_536;

/**
 * How long a chunked body is read and discarded before the refusal. A client that has sent everything by then is
 * certain to read the 411; a client that waits for an answer gets it soon.
 */
const chunkedGraceMs = 500;

/** Where `collect` puts headers: a callback made for each request would cost more than what it collects. */
let collecting: UwsExchange;

const collect = (name: string, value: string): void => collecting.addHeader(name, value);

/**
 * One request and its answer on uWebSockets.js.
 *
 * Exchanges are reused, and their callbacks bound once, so that the common request (its body and its answer each in one
 * piece) allocates none. The cost: one must only go back to the pool when nothing native or asynchronous can still call
 * it. One whose client went, whose body came in pieces, whose answer is streamed or whose connection ends is not reused.
 */
export class UwsExchange implements IncomingRequest, FramingHeaders, Waiting {
  method = '';
  path = '';
  body: Buffer = empty;
  id = '';
  route: unknown = undefined;
  startedAt = 0;
  added: Readonly<Record<string, string>> | undefined = undefined;

  hosts = 0;
  lengths = 0;
  encodings = 0;
  length = '';
  encoding = '';

  /** `undefined` once the answer is complete or the client has gone: nothing may be called on it then. */
  res: HttpResponse | undefined;
  /** Whether the connection must end with this answer. */
  closeAfter = false;
  /** Called when the client goes while a stream is being sent. */
  onGone: (() => void) | undefined;

  readonly #server: UwsServer;
  readonly #names: string[] = [];
  readonly #values: string[] = [];
  #headers = 0;
  /** Only while the native request callback runs. */
  #req: HttpRequest | undefined;
  #query: string | undefined;
  readonly #gathered = new GatheredBody();
  #awaitingBody = false;
  /** Whether the body came in one piece, or there is none. */
  #whole = false;
  /** Whether the client asked to close the connection. */
  #isLast = false;
  #abortable = false;

  constructor(server: UwsServer) {
    this.#server = server;
  }

  readonly #onData = (chunk: ArrayBuffer, last: boolean): void => {
    if (!this.#awaitingBody) return;
    const gathered = this.#gathered;
    const octets = Buffer.from(chunk);
    this.#whole = last && gathered.isEmpty;
    if (this.#whole) gathered.count(octets.length);
    else gathered.add(octets, 0, octets.length);
    if (gathered.tooLarge) {
      if (last || gathered.hopeless) this.#refuse('body_too_large');
      return;
    }
    if (!last) return;
    this.body = this.#whole ? octets : gathered.take();
    this.#endBody();
    this.#dispatch();
  };

  readonly #onAborted = (): void => {
    this.res = undefined;
    if (this.#awaitingBody) this.#endBody();
    this.#server.active.delete(this);
    this.onGone?.();
  };

  addHeader(name: string, value: string): void {
    this.#names[this.#headers] = name;
    this.#values[this.#headers++] = value;
    // by length first: few headers have one of these three
    switch (name.length) {
      case 4:
        if (name === 'host') this.hosts++;
        break;
      case 14:
        if (name === 'content-length') {
          this.lengths++;
          this.length = value;
        }
        break;
      case 17:
        if (name === 'transfer-encoding') {
          this.encodings++;
          this.encoding = value;
        }
        break;
      case 10:
        if (name === 'connection' && value !== 'keep-alive' && /\bclose\b/i.test(value)) this.#isLast = true;
    }
  }

  /** Runs inside the native request callback: `req` is gone when it returns, so everything is read here. */
  begin(method: string, res: HttpResponse, req: HttpRequest): void {
    this.startedAt = performance.now();
    this.res = res;
    this.method = method;
    this.path = req.getUrl();
    this.#req = req;
    this.#query = undefined;
    this.#headers = this.hosts = this.lengths = this.encodings = 0;
    this.closeAfter = this.#isLast = this.#abortable = false;
    collecting = this;
    req.forEach(collect);
    this.body = empty;
    const framing = judgeFraming(this);
    if (framing === contradictory) {
      this.#req = this.res = undefined;
      res.close();
      return;
    }
    const limit = this.#server.listener.accept(this);
    this.#req = undefined;
    this.#whole = framing === 0;
    if (framing === 0) return this.#dispatch();
    if (framing === chunked) return this.#refuseChunked(res);
    this.#gathered.begin(limit);
    this.#awaitingBody = true;
    this.#server.deadlines.expect(this);
    this.#watchAbort(res);
    if (framing > limit + discardBytes) this.#refuse('body_too_large');
    else res.onData(this.#onData);
  }

  get query(): string {
    this.#query ??= this.#req?.getQuery() ?? '';
    return this.#query;
  }

  header(name: string): string {
    let found = '';
    for (let i = 0; i < this.#headers; i++) {
      const other = this.#names[i] as string;
      if (other.length === name.length && other === name) {
        found = found === '' ? (this.#values[i] as string) : `${found}, ${this.#values[i]}`;
      }
    }
    return found;
  }

  peerAddress(): string {
    if (this.res === undefined) return '';
    return normaliseAddress(Buffer.from(this.res.getRemoteAddressAsText()).toString('latin1'));
  }

  expire(): void {
    this.#refuse('request_timeout');
  }

  /** Ends the connection whatever state it is in. */
  cut(): void {
    this.res?.close();
  }

  #watchAbort(res: HttpResponse): void {
    if (this.#abortable) return;
    this.#abortable = true;
    res.onAborted(this.#onAborted);
  }

  /**
   * uWebSockets.js reads a chunk extension as part of the chunk size, so it may end a body at another octet than a
   * proxy in front. While the answer is pending, it closes the connection if it sees a further request.
   */
  #refuseChunked(res: HttpResponse): void {
    this.#watchAbort(res);
    this.#server.active.add(this);
    this.#gathered.begin(0);
    const refuse = (): void => {
      clearTimeout(timer);
      if (this.res !== undefined) this.#refuse('length_required');
    };
    const { background } = this.#server;
    const timer = setTimeout(background.guarded('connections', refuse), chunkedGraceMs);
    res.onData((chunk, last) => {
      this.#gathered.count(chunk.byteLength);
      // not in this turn: the parser goes on with what it has already read, however the answer ends
      if (last || this.#gathered.hopeless) setImmediate(background.guarded('connections', refuse));
    });
  }

  #endBody(): void {
    this.#awaitingBody = false;
    this.#server.deadlines.done(this);
  }

  #refuse(reason: Refusal): void {
    this.#endBody();
    this.closeAfter = true;
    this.#answer(this.#server.listener.refuse(this, reason));
  }

  readonly #handleHeld = (): void => {
    if (this.res === undefined) return;
    void Promise.resolve(this.#server.listener.handle(this)).then((outgoing) => this.#answer(outgoing));
  };

  bodyText(): string {
    return this.body.toString('latin1');
  }

  /** The answer is for a later turn; the view of the body dies with this one. */
  #outliveTurn(body: Buffer): void {
    if (this.res !== undefined) this.#watchAbort(this.res);
    this.body = body;
    this.#server.active.add(this);
  }

  #dispatch(): void {
    const { listener, held } = this.#server;
    if (held.hold(this.#handleHeld)) {
      this.#outliveTurn(Buffer.from(this.body));
      return;
    }
    const result = listener.handle(this);
    if (result instanceof Promise) {
      this.#outliveTurn(empty);
      result.then((outgoing) => this.#answer(outgoing));
      return;
    }
    const { body } = result;
    if (this.#isLast || result.close === true) this.#answerLast(result);
    else if (typeof body === 'function' || (body !== undefined && body.length > largeBytes) || this.res === undefined) {
      this.#answer(result);
    } else {
      writeAnswer(this.res, this, result, this.#server.closing);
      this.res = undefined;
      if (this.#whole) this.#server.release(this);
    }
  }

  /**
   * The answer that ends its connection. If it were written in the turn of its request, the connection would stay open:
   * the parser goes on with what it has already read, and the answer to the next request keeps the connection. A
   * request that arrives before an answer is written makes uWebSockets.js close the connection.
   */
  #answerLast(outgoing: Outgoing): void {
    if (this.res === undefined) return;
    this.#outliveTurn(empty);
    const { background } = this.#server;
    setImmediate(background.guarded('connections', () => this.#answer(outgoing)));
  }

  /** The answers that are not written in the turn of their request, or not in one piece. */
  #answer(outgoing: Outgoing): void {
    const { res } = this;
    if (res === undefined) return;
    const close = this.closeAfter || this.#isLast || outgoing.close === true || this.#server.closing;
    this.#watchAbort(res);
    const { body } = outgoing;
    if (typeof body === 'function' && this.method !== 'HEAD') {
      this.#server.active.add(this);
      writeStream(this, outgoing, body, this.#server).finally(() => this.#finish());
    } else if (body !== undefined && body.length > largeBytes && this.method !== 'HEAD' && !this.closeAfter) {
      this.#server.active.add(this);
      writeLarge(res, this, outgoing, body as string | Uint8Array, close, () => this.#finish());
    } else {
      res.cork(() => writeAnswer(res, this, outgoing, close));
      this.#finish();
      if (this.#whole && !close) this.#server.release(this);
    }
  }

  #finish(): void {
    this.res = undefined;
    this.#server.active.delete(this);
  }
}
