import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { headerBlock } from '../../../../src/http/transport/header-block.ts';
import { SocketConnection } from '../../../../src/http/transport/socket/connections/socket-connection.ts';
import { SocketServer } from '../../../../src/http/transport/socket/socket-server.ts';
import type { IncomingRequest } from '../../../../src/http/transport/transport.ts';
import { unlimitedConnections } from '../../../../src/http/transport/unlimited-connections.ts';
import { Background, silentLog } from '../../../../src/platform/index.ts';
import type { Segments } from './request-mutator.ts';

/** A request as a reader has understood it. */
export interface ReadRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  /** The values of the fields that were asked for, `''` where absent. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What reads octets as requests. */
export interface Reader {
  /** @returns the requests of each connection, in order, that have come with their whole bodies */
  read(connections: readonly Segments[], names: readonly string[]): Promise<ReadRequest[][]>;
  close(): Promise<void>;
}

/** A connection without a network: segments come from it one by one, and what is written to it is gone. */
class Wire extends Duplex {
  readonly requests: ReadRequest[] = [];
  /** Tells the wires of one reading apart. */
  readonly remoteAddress: string;
  readonly #segments: Buffer[];

  constructor(segments: Segments, place: number) {
    super({ allowHalfOpen: true });
    this.#segments = [...segments];
    this.remoteAddress = `10.${place >> 16}.${(place >> 8) & 255}.${place & 255}`;
  }

  override _read(): void {
    const segment = this.#segments.shift();
    if (segment !== undefined) setImmediate().then(() => this.push(segment));
  }

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done();
  }
}

/** Turns of the event loop in which every segment has gone through all layers. */
const TURNS = 16;

async function readAll(
  connections: readonly Segments[],
  open: (wire: Wire) => void,
): Promise<{ readonly wires: Wire[]; readonly end: () => void }> {
  const wires = connections.map((segments, place) => new Wire(segments, place));
  for (const wire of wires) open(wire.on('error', () => {}));
  for (let turn = 0; turn < TURNS; turn++) await setImmediate();
  return {
    wires,
    end: () => {
      for (const wire of wires) wire.destroy();
    },
  };
}

const patientMs = 600_000;
const limits = {
  headersTimeoutMs: patientMs,
  bodyTimeoutMs: patientMs,
  idleTimeoutMs: patientMs,
  headerBytes: 16_384,
};

/** The transport over sockets: all of it but the sockets. */
export function socketReader(): Reader {
  const answer = { status: 200, head: headerBlock({}), body: '' };
  let note: (request: IncomingRequest) => void = () => {};
  const listener = {
    accept: () => 1_000_000,
    handle: (request: IncomingRequest) => {
      note(request);
      return answer;
    },
    refuse: () => answer,
    failed: () => {},
  };
  const dependencies = {
    background: new Background({ log: silentLog }),
    connections: unlimitedConnections(),
    native: null,
  };
  const server = new SocketServer(limits, listener, dependencies);
  return {
    async read(connections, names) {
      const byAddress = new Map<string, Wire>();
      note = (request) => {
        const fields = Object.fromEntries(names.map((name) => [name, request.header(name)]));
        const { method, path, query } = request;
        const body = request.body.toString('latin1');
        byAddress.get(request.peerAddress())?.requests.push({ method, path, query, body, fields });
      };
      const { wires, end } = await readAll(connections, (wire) => {
        byAddress.set(wire.remoteAddress, wire);
        // it has all that is used of a socket
        new SocketConnection(server, wire as unknown as Socket);
      });
      end();
      return wires.map(({ requests }) => requests);
    },
    close: () => server.close(),
  };
}

/** The parser of Node.js, in its own server. */
export function nodeReader(): Reader {
  let names: readonly string[] = [];
  const options = { requireHostHeader: false, joinDuplicateHeaders: true, maxHeaderSize: limits.headerBytes };
  const server = createServer({ ...options, keepAliveTimeout: patientMs }, (request, response) => {
    const wire = request.socket as unknown as Wire;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const [path = '', ...rest] = (request.url ?? '').split('?');
      const fields = Object.fromEntries(names.map((name) => [name, textOf(request.headers[name])]));
      const body = Buffer.concat(chunks).toString('latin1');
      wire.requests.push({ method: request.method ?? '', path, query: rest.join('?'), body, fields });
      // with a length, so that it never ends a connection that the request does not end
      response.writeHead(200, { 'content-length': 0 }).end();
    });
  });
  server.on('clientError', () => {});
  return {
    async read(connections, wanted) {
      names = wanted;
      const { wires, end } = await readAll(connections, (wire) => void server.emit('connection', wire));
      end();
      return wires.map(({ requests }) => requests);
    },
    async close() {
      server.close();
    },
  };
}

function textOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : (value ?? []).join(', ');
}
