import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import type { OutboundLimits } from './connection-slots.ts';

/** Connections that wait for their next request: so many for each host and in all; the one that waits longest goes. */
class IdleSockets {
  readonly #max: number;
  readonly #sockets = new Set<Duplex>();
  readonly #known = new WeakSet<Duplex>();

  constructor(max: number) {
    this.#max = max;
  }

  add(socket: Duplex): void {
    this.#sockets.add(socket);
    if (!this.#known.has(socket)) socket.once('close', () => this.#sockets.delete(socket));
    this.#known.add(socket);
    const [oldest] = this.#sockets;
    if (this.#sockets.size > this.#max) oldest?.destroy();
  }

  take(socket: Duplex): void {
    this.#sockets.delete(socket);
  }
}

export interface KeptAgents {
  readonly http: http.Agent;
  readonly https: https.Agent;
}

/** Agents of both protocols that keep connections, with one bound on those that wait. */
export function keptAgents({ perHost, total, idleMs }: OutboundLimits): KeptAgents {
  const idle = new IdleSockets(total);
  const options = { keepAlive: true, maxFreeSockets: perHost, timeout: idleMs };
  return { http: keep(new http.Agent(options), idle), https: keep(new https.Agent(options), idle) };
}

/** `keepSocketAlive` and `reuseSocket` are what Node asks when a request has its answer, and when the next one comes. */
function keep<Agent extends http.Agent>(agent: Agent, idle: IdleSockets): Agent {
  const asks = agent as unknown as KeepHooks; // its documentation says boolean where its types say void
  const keepSocketAlive = asks.keepSocketAlive.bind(agent);
  const reuseSocket = asks.reuseSocket.bind(agent);
  asks.keepSocketAlive = (socket) => {
    const isKept = keepSocketAlive(socket);
    if (isKept) idle.add(socket);
    return isKept;
  };
  asks.reuseSocket = (socket, request) => {
    idle.take(socket);
    reuseSocket(socket, request);
  };
  return agent;
}

interface KeepHooks {
  keepSocketAlive(socket: Duplex): boolean;
  reuseSocket(socket: Duplex, request: http.ClientRequest): void;
}
