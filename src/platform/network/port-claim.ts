import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Address {
  readonly host: string;
  readonly port: number;
}

/** An address at which this machine lets nobody listen now. The message says what to do. */
export class ListenError extends Error {
  /** Whether another program listens there: it may be another Relata. */
  readonly isInUse: boolean;

  /** @param settings the variables that name the host and the port */
  constructor({ host, port }: Address, cause: NodeJS.ErrnoException, settings = ['RELATA_HOST', 'RELATA_PORT']) {
    super(`${host}:${port} ${reasonOf(cause, settings)}`, { cause });
    this.name = 'ListenError';
    this.isInUse = cause.code === 'EADDRINUSE';
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException, [host, port]: readonly string[]): string {
  switch (code) {
    case 'EADDRINUSE':
      return `is in use by another program, perhaps by another Relata: end that one, or set ${port} to another port`;
    case 'EACCES':
      return `may not be used by this user: set ${port} to a port from 1024 on`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `is no address of this machine: set ${host} to one of its own, or to 0.0.0.0 for all of them`;
    default:
      return `cannot be listened on (${message}): set ${host} and ${port}`;
  }
}

/** A port that nobody else can take, and on which nobody is served yet. */
interface PortClaim {
  readonly port: number;
  /** What those are told who ask at `/readyz` meanwhile. */
  tell(checks: Readonly<Record<string, string>>): void;
  /** Frees it. To be called directly before the threads listen on it. */
  release(): Promise<void>;
}

/** Below those that systems choose from by themselves: nobody else is given one before the threads listen on it. */
const FREE_PORTS = { min: 20_000, max: 32_768 };
const TRIES_MAX = 100;

/**
 * Takes the port that several threads are to listen on: the given one, or a free one for 0. The threads share it by
 * SO_REUSEPORT, which lets a second server of the same user in silently; the claim does not share it, so that of two
 * services one is refused. And uWebSockets.js does not share a port that it was given for 0.
 * @throws ListenError
 */
export async function claimPort(address: Address): Promise<PortClaim> {
  if (address.port !== 0) return claimed(address);
  for (let tries = 1; ; tries++) {
    try {
      return await claimed({ ...address, port: randomInt(FREE_PORTS.min, FREE_PORTS.max) });
    } catch (error) {
      if (!(error instanceof ListenError) || !error.isInUse || tries === TRIES_MAX) throw error;
    }
  }
}

const HEAD_MS = 1000;
const CONNECTIONS_MAX = 256;

/** Whoever asks meanwhile is told to come again, and that the process lives. */
function claimed(address: Address): Promise<PortClaim> {
  let checks: Readonly<Record<string, string>> = {};
  const server = createServer({ headersTimeout: HEAD_MS, requestTimeout: HEAD_MS }, ({ url }, response) => {
    const path = url?.split('?')[0];
    if (path === '/healthz') {
      response.writeHead(200, { connection: 'close', 'content-type': 'application/json' });
      response.end(JSON.stringify({ status: 'ok' }));
      return;
    }
    const isAsked = path === '/readyz';
    const type = isAsked ? { 'content-type': 'application/json' } : {};
    response.writeHead(503, { 'retry-after': '1', connection: 'close', ...type });
    response.end(isAsked ? JSON.stringify({ status: 'not ready', checks }) : undefined);
  });
  server.maxConnections = CONNECTIONS_MAX;
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new ListenError(address, error)));
    server.listen({ ...address, exclusive: true }, () => {
      const { port } = server.address() as AddressInfo; // it listens on a port
      const tell = (told: Readonly<Record<string, string>>): void => {
        checks = told;
      };
      resolve({ port, tell, release: () => closed(server) });
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
