import { chunked } from '../../framing.ts';
import { discardBytes } from '../../gathered-body.ts';
import { malformedAnswer } from '../../malformed-answer.ts';
import type { Outgoing, Refusal, StreamSource } from '../../transport.ts';
import { addAnswer, beginStream, LARGE_BYTES, writeLarge, writeStream } from '../answers/answer-writer.ts';
import { BodyReader } from '../requests/body-reader.ts';
import { HeadReader } from '../requests/head-reader.ts';
import { INCOMPLETE } from '../requests/request-head.ts';
import { ConnectionLife } from './connection-life.ts';
import { ForeseenRequest } from './foreseen-request.ts';
import type { SocketExchange } from './socket-exchange.ts';

/** How much is read behind a request that is not answered yet. */
const AHEAD_MAX = 16_384;
const END_OF_HEAD = '\r\n\r\n';
const nothing = Buffer.alloc(0);
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Not of the pool of Node.js, of which a small piece would keep a whole page. */
function joined(before: Buffer, octets: Buffer): Buffer {
  const all = Buffer.allocUnsafeSlow(before.length + octets.length);
  before.copy(all);
  octets.copy(all, before.length);
  return all;
}

/**
 * One connection. Its requests are read and answered one after another; what a client sends ahead waits. Answers that
 * are given in the turn in which their requests have come are written together at its end.
 */
export class SocketConnection extends ConnectionLife {
  readonly #heads = new HeadReader(this.server.heads);
  #exchange: SocketExchange | undefined = undefined;
  #body: BodyReader | undefined = undefined;
  readonly #foreseen = new ForeseenRequest();
  /** Whether a request was answered in this turn. */
  #hasAnswered = false;

  protected receive(octets: Buffer, from: number, to: number): void {
    if (this.phase === 'answer' || this.output.isBlocked) this.#keepAhead(octets.subarray(from, to));
    else if (this.phase === 'head' && this.rest !== undefined) {
      this.#readMoreOfHead(this.rest, octets.subarray(from, to));
    } else this.#read(octets, from, to);
    this.#foreseen.forget();
  }

  protected expireRequest(): void {
    if (this.phase === 'body') this.#refuse('request_timeout');
    else this.#refuseMalformed(408);
  }

  #keepAhead(chunk: Buffer): void {
    this.rest = this.rest === undefined ? this.#kept(chunk) : joined(this.rest, chunk);
    if (this.rest.length > AHEAD_MAX) this.socket.pause();
  }

  /** The same octets, and a copy where they are gone with this turn. */
  #kept(octets: Buffer): Buffer {
    return octets.buffer === this.server.network.buffer.buffer ? joined(nothing, octets) : octets;
  }

  /** A head is parsed again only when its end has come: each octet is read twice at most, however it drips in. */
  #readMoreOfHead(begun: Buffer, chunk: Buffer): void {
    const octets = joined(begun, chunk);
    const hasEnd = octets.includes(END_OF_HEAD, Math.max(0, begun.length - END_OF_HEAD.length + 1), 'latin1');
    this.rest = undefined;
    if (hasEnd || octets.length >= this.server.limits.headerBytes) this.#read(octets, 0, octets.length);
    else this.rest = octets;
  }

  #read(octets: Buffer, from: number, to: number): void {
    let at = from;
    while (at < to && !this.output.isBlocked) {
      if (this.phase === 'head') at = this.#readHead(octets, at, to);
      else if (this.phase === 'body') at = this.#readBody(octets, at, to);
      else break;
    }
    if (at < to && this.phase !== 'ended' && this.phase !== 'closed') this.#keepAhead(octets.subarray(at, to));
    this.#endTurn();
  }

  #endTurn(): void {
    if (!this.server.network.arrivals.putOff(this)) this.endTurn();
  }

  endTurn(): void {
    this.output.flush();
    const { connections, wheel, limits } = this.server;
    if (this.output.isBlocked && this.phase !== 'ended') wheel.set(this, limits.bodyTimeoutMs);
    if (this.#hasAnswered && this.phase === 'head') {
      connections.rest(this.entry);
      if (!this.output.isBlocked && this.rest === undefined) wheel.postpone(this, limits.idleTimeoutMs);
    }
    this.#hasAnswered = false;
    if (this.isHalfClosed && this.phase === 'head' && !this.output.isBlocked) this.end();
  }

  /** Only heads that are parsed anyhow: one that is known is not read twice. */
  foresee(octets: Buffer, from: number, to: number): SocketExchange | undefined {
    const isParsed = this.phase === 'head' && this.rest === undefined && this.#heads.parsesAll;
    if (!isParsed || this.output.isBlocked) return undefined;
    const { exchanges, limits } = this.server;
    return this.#foreseen.read(exchanges, octets, from, Math.min(to, from + limits.headerBytes), to);
  }

  #readHead(octets: Buffer, from: number, to: number): number {
    const foreseen = this.#foreseen.take(octets, from);
    if (foreseen !== undefined) return this.#begin(foreseen, octets, foreseen.head.end, to);
    const { exchanges, limits } = this.server;
    const exchange = exchanges.take();
    const until = Math.min(to, from + limits.headerBytes);
    const end = this.#heads.read(exchange.head, octets, from, until);
    if (end > 0) return this.#begin(exchange, octets, end, to);
    exchanges.giveBack(exchange);
    if (end !== INCOMPLETE) this.#refuseMalformed(-end);
    else if (until - from >= limits.headerBytes) this.#refuseMalformed(431);
    else {
      this.rest = this.#kept(octets.subarray(from, to));
      this.server.wheel.set(this, limits.headersTimeoutMs);
    }
    return to;
  }

  #begin(exchange: SocketExchange, octets: Buffer, end: number, to: number): number {
    const { head } = exchange;
    exchange.begin(this.address, this.server.network.arrivals.now);
    this.#exchange = exchange;
    const limit = this.server.listener.accept(exchange);
    const length = head.bodyLength;
    if (length === 0) {
      this.#dispatch(exchange);
      return end;
    }
    // all in one piece, as nearly every body comes
    if (length > 0 && length <= limit && to - end >= length) {
      exchange.bodyAt(octets, end, end + length);
      this.#dispatch(exchange);
      return end + length;
    }
    this.#beginBody(exchange, limit, end === to);
    return end;
  }

  #beginBody({ head }: SocketExchange, limit: number, isWaiting: boolean): void {
    const length = head.bodyLength;
    this.server.connections.work(this.entry);
    this.phase = 'body';
    head.keep();
    // servers and proxies disagree on where chunks end, so no request may follow them
    if (length === chunked) head.isLast = true;
    const refusedFrom = limit + (head.expectsContinue ? 0 : discardBytes);
    if (length > refusedFrom) {
      this.#refuse('body_too_large');
      return;
    }
    this.#body ??= new BodyReader();
    this.#body.begin(length, limit);
    if (head.expectsContinue && isWaiting) this.output.add(CONTINUE, true);
    this.server.wheel.set(this, this.server.limits.bodyTimeoutMs);
  }

  #readBody(octets: Buffer, from: number, to: number): number {
    const body = this.#body as BodyReader;
    const end = from + body.read(octets.subarray(from, to), 0);
    if (body.progress === 'malformed') this.#refuseMalformed(400);
    else if (body.progress === 'too large') this.#refuse('body_too_large');
    else if (body.progress === 'complete') {
      const exchange = this.#exchange as SocketExchange;
      exchange.body = body.take();
      this.#dispatch(exchange);
    }
    return end;
  }

  /** What is no request has no listener to answer it. */
  #refuseMalformed(status: number): void {
    this.output.add(malformedAnswer(status), true);
    this.end();
  }

  /** The answer to a body that will not be read to its end. */
  #refuse(reason: Refusal): void {
    const exchange = this.#exchange as SocketExchange;
    exchange.head.isLast = true;
    this.#answer(exchange, this.server.listener.refuse(exchange, reason));
    this.#endTurn();
  }

  readonly #handleHeld = (): void => {
    if (this.phase !== 'answer') return;
    this.#handle(this.#exchange as SocketExchange);
    if (this.phase !== 'answer') this.goOn();
  };

  #dispatch(exchange: SocketExchange): void {
    this.phase = 'answer';
    this.deadline = Number.POSITIVE_INFINITY;
    if (this.server.held.hold(this.#handleHeld)) {
      exchange.keep();
      this.server.connections.work(this.entry);
    } else this.#handle(exchange);
  }

  #handle(exchange: SocketExchange): void {
    exchange.handledAt = this.server.network.arrivals.now;
    const result = this.server.listener.handle(exchange);
    if (!(result instanceof Promise)) {
      this.#answer(exchange, result);
      return;
    }
    exchange.head.keep();
    this.server.connections.work(this.entry);
    result.then((outgoing) => {
      if (this.phase !== 'answer') return;
      this.#answer(exchange, outgoing);
      if (this.phase !== 'answer') this.goOn();
    });
  }

  #answer(exchange: SocketExchange, outgoing: Outgoing): void {
    const { head } = exchange;
    if (outgoing.close === true || this.server.isClosing) head.isLast = true;
    const { body } = outgoing;
    const isHead = exchange.method === 'HEAD';
    if (typeof body === 'function' && !isHead) void this.#stream(exchange, outgoing, body);
    else if (body !== undefined && typeof body !== 'function' && body.length > LARGE_BYTES && !isHead) {
      void this.#writeLarge(exchange, outgoing, body);
    } else {
      addAnswer(this.output, exchange, outgoing, this.server.date.text, this.server.answers);
      this.#answered(exchange);
    }
  }

  #answered(exchange: SocketExchange): void {
    this.server.ended++;
    this.#hasAnswered = true;
    this.#exchange = undefined;
    this.phase = 'head';
    const { isLast } = exchange.head;
    this.server.exchanges.giveBack(exchange);
    if (isLast) this.end();
  }

  /** After an answer that was not given in the turn of its request. */
  protected goOn(): void {
    const rest = this.rest;
    this.rest = undefined;
    if (this.phase !== 'head' || rest === undefined) {
      this.#endTurn();
      return;
    }
    this.socket.resume();
    this.#read(rest, 0, rest.length);
  }

  async #writeLarge(exchange: SocketExchange, outgoing: Outgoing, body: string | Uint8Array): Promise<void> {
    this.server.connections.work(this.entry);
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    await writeLarge(this.output, exchange, { ...outgoing, body: bytes }, this.server.date.text, () => this.room());
    this.#answeredSlowly(exchange);
  }

  async #stream(exchange: SocketExchange, outgoing: Outgoing, source: StreamSource): Promise<void> {
    const { connections, draining, listener, date } = this.server;
    connections.work(this.entry);
    exchange.head.keep();
    const gone = new AbortController();
    this.gone = gone;
    beginStream(this.output, exchange, outgoing, date.text);
    const control = { gone: gone.signal, draining: draining.signal, cut: () => this.cut() };
    try {
      await writeStream(this.output, exchange, source(control), () => this.room());
    } catch (error) {
      listener.failed(exchange, error);
      this.cut();
    }
    this.gone = undefined;
    this.#answeredSlowly(exchange);
  }

  #answeredSlowly(exchange: SocketExchange): void {
    if (this.isOver) return;
    this.#answered(exchange);
    this.goOn();
  }
}
