import type { IncomingMessage, ServerResponse } from 'node:http';
import { normaliseAddress } from '../../../platform/index.ts';
import { BodyCollector, discardBytes } from '../body-collector.ts';
import type { Waiting } from '../body-deadlines.ts';
import { chunked, contradictory, type FramingHeaders, judgeFraming } from '../framing.ts';
import { isBodiless } from '../status-lines.ts';
import type { IncomingRequest, Outgoing, Refusal, StreamSource } from '../transport.ts';
import type { NodeConnection } from './node-connections.ts';
import type { NodeServer } from './node-server.ts';

const empty = Buffer.alloc(0);

/** One request and its answer on `node:http`. */
export class NodeExchange implements IncomingRequest, Waiting {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  body: Buffer = empty;
  id = '';
  route: unknown = undefined;
  startedAt = 0;
  added: Readonly<Record<string, string>> | undefined = undefined;

  readonly #server: NodeServer;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #connection: NodeConnection | undefined;
  readonly #collector = new BodyCollector();
  readonly #gone = new AbortController();
  #awaitingBody = false;
  #closeAfter = false;

  constructor(server: NodeServer, req: IncomingMessage, res: ServerResponse) {
    this.#server = server;
    this.#req = req;
    this.#res = res;
    this.#connection = server.connections.of(req.socket);
    this.method = req.method ?? '';
    const url = req.url ?? '';
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
  }

  begin(): void {
    // the parser goes on with what it has already read, even after a refused or last request
    const { socket } = this.#req;
    if (socket.destroyed || this.#connection === undefined || this.#connection.isEnding) return;
    const framing = judgeFraming(framingOf(this.#req.rawHeaders));
    if (framing === contradictory) {
      this.#req.destroy();
      return;
    }
    this.#server.active.add(this);
    this.#connection.begin();
    this.#res.once('close', () => this.#ended());
    const limit = this.#server.listener.accept(this);
    if (framing === 0) {
      this.#req.resume();
      this.#dispatch();
      return;
    }
    // servers and proxies disagree on where chunks end, so no request may follow them
    if (framing === chunked) {
      this.#closeAfter = true;
      this.#connection.isEnding = true;
    }
    this.#collector.begin(limit);
    this.#awaitingBody = true;
    this.#server.deadlines.expect(this);
    if (framing > limit + discardBytes) this.#refuse('body_too_large');
    else this.#readBody();
  }

  header(name: string): string {
    const value = this.#req.headers[name];
    return value === undefined ? '' : typeof value === 'string' ? value : value.join(', ');
  }

  peerAddress(): string {
    return normaliseAddress(this.#req.socket.remoteAddress ?? '');
  }

  expire(): void {
    this.#refuse('request_timeout');
  }

  cut(): void {
    this.#req.destroy();
  }

  #readBody(): void {
    this.#req.on('data', (chunk: Buffer) => {
      if (!this.#awaitingBody) return;
      this.#collector.count(chunk.length);
      if (!this.#collector.tooLarge) this.#collector.keep(chunk);
      else if (this.#collector.hopeless) this.#refuse('body_too_large');
    });
    this.#req.on('end', () => {
      if (!this.#awaitingBody) return;
      if (this.#collector.tooLarge) {
        this.#refuse('body_too_large');
        return;
      }
      this.#endBody();
      this.body = this.#collector.take();
      this.#dispatch();
    });
    // a client that goes in the middle of its body raises this, and `close` on the answer tells it already
    this.#req.on('error', () => {});
  }

  #endBody(): void {
    this.#awaitingBody = false;
    this.#server.deadlines.done(this);
  }

  #ended(): void {
    if (this.#awaitingBody) this.#endBody();
    this.#server.active.delete(this);
    this.#connection?.end();
    this.#server.ended++;
    if (!this.#res.writableFinished) this.#gone.abort();
  }

  #refuse(reason: Refusal): void {
    this.#endBody();
    this.#closeAfter = true;
    this.#answer(this.#server.listener.refuse(this, reason));
    // what the client still sends is not read, so the connection cannot be used again
    this.#res.once('finish', () => this.#req.destroy());
  }

  #dispatch(): void {
    if (this.#server.held.hold(() => this.#dispatch())) return;
    const result = this.#server.listener.handle(this);
    if (result instanceof Promise) result.then((outgoing) => this.#answer(outgoing));
    else this.#answer(result);
  }

  #answer(outgoing: Outgoing): void {
    if (this.#res.destroyed) return;
    if (outgoing.close) this.#closeAfter = true;
    const { body } = outgoing;
    const bodiless = isBodiless(outgoing.status);
    const headers = [...outgoing.head.pairs, 'x-request-id', this.id, ...(outgoing.more ?? [])];
    if (!bodiless && typeof body !== 'function') headers.push('content-length', String(Buffer.byteLength(body ?? '')));
    if (this.#closeAfter || this.#server.closing) {
      headers.push('connection', 'close');
      if (this.#connection !== undefined) this.#connection.isEnding = true;
    }
    this.#res.writeHead(outgoing.status, headers);
    if (typeof body === 'function' && this.method !== 'HEAD') void this.#stream(body);
    else if (bodiless || this.method === 'HEAD' || typeof body === 'function') this.#res.end();
    else this.#res.end(body);
  }

  async #stream(source: StreamSource): Promise<void> {
    const res = this.#res;
    res.flushHeaders();
    try {
      const control = { gone: this.#gone.signal, draining: this.#server.draining.signal, cut: () => this.cut() };
      for await (const chunk of source(control)) {
        if (!res.destroyed && !res.write(chunk)) await this.#room();
        if (res.destroyed) return;
      }
      res.end();
    } catch (error) {
      this.#server.listener.failed(this, error);
      res.destroy();
    }
  }

  #room(): Promise<void> {
    const res = this.#res;
    return new Promise((resolve) => {
      const ready = (): void => {
        res.off('drain', ready).off('close', ready);
        resolve();
      };
      res.on('drain', ready).on('close', ready);
    });
  }
}

function framingOf(raw: readonly string[]): FramingHeaders {
  const framing = { hosts: 0, lengths: 0, encodings: 0, length: '', encoding: '' };
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] ?? '').toLowerCase();
    const value = raw[i + 1] ?? '';
    if (name === 'host') framing.hosts++;
    else if (name === 'content-length') {
      framing.lengths++;
      framing.length = value;
    } else if (name === 'transfer-encoding') {
      framing.encodings++;
      framing.encoding = value;
    }
  }
  return framing;
}
