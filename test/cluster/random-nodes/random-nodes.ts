import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { NatsCluster } from '../nats-cluster.ts';
import { environmentOf, type RelataNode, RelataNodes } from '../relata-nodes.ts';
import { AppliedRevision } from './applied-revision.ts';

/** What takes a consistency token in its body. */
const takesToken =
  /^POST \/(?:t|orgs)\/[^/]+\/api\/v1\/(?:(?:zanzibar|abac)\/check|authz\/check(?:-all|-any)?|(?:zanzibar|authz)\/check-bulk|zanzibar\/(?:expand|list-objects|list-subjects))$/;

const LARGE_BYTES = 2 ** 18;
const REFUSED_MS = 500;

interface Node {
  readonly node: RelataNode;
  readonly applied: AppliedRevision;
}

/**
 * Three nodes of a cluster behind one address. Each request goes to any of them. The revision that the last answers were
 * given at is carried along: as a token in the body of what takes one; before anything else, the node has reached it.
 */
export class RandomNodes {
  readonly #listener: Server;
  readonly #agent = new Agent({ keepAlive: true });
  #servers: NatsCluster | undefined;
  #cluster: RelataNodes | undefined;
  #nodes: readonly Node[] = [];
  #revision = 0;

  private constructor() {
    this.#listener = createServer((asked, answer) => {
      this.#forward(asked, answer).catch(() => answer.destroy());
    });
  }

  /** @param path of the program `nats-server` */
  static async start(path: string, environment: Readonly<Record<string, string>>): Promise<RandomNodes> {
    const started = new RandomNodes();
    try {
      await started.#start(path, environment);
      return started;
    } catch (error) {
      await started.remove();
      throw error;
    }
  }

  async #start(path: string, environment: Readonly<Record<string, string>>): Promise<void> {
    await once(this.#listener.listen(0, '127.0.0.1'), 'listening');
    this.#servers = await NatsCluster.start({ path });
    const own = { RELATA_BASE_URL: this.url, RELATA_LOG_LEVEL: 'error' };
    this.#cluster = await RelataNodes.start(this.#servers, 3, {
      ...environmentOf(this.#servers),
      ...own,
      ...environment,
    });
    const opened = this.#cluster.nodes.map(async (node) => ({
      node,
      applied: await AppliedRevision.open(node.folder),
    }));
    this.#nodes = await Promise.all(opened);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#listener.address() as AddressInfo).port}`; // it listens
  }

  /** Of one of the nodes. */
  get folder(): string {
    return this.#any().node.folder;
  }

  async remove(): Promise<void> {
    this.#listener.close();
    this.#listener.closeAllConnections();
    this.#agent.destroy();
    for (const { applied } of this.#nodes) await applied.close();
    await this.#cluster?.remove();
    this.#servers?.remove();
  }

  #any(): Node {
    return this.#nodes[Math.floor(Math.random() * this.#nodes.length)] as Node; // they are started
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { node, applied } = this.#any();
    const { method = '', url = '' } = asked;
    const body = takesToken.test(`${method} ${url}`) ? await buffer(asked) : undefined;
    const fresh = body === undefined ? undefined : this.#withToken(body, applied);
    if (fresh === undefined) await applied.reached(this.#revision);
    const sent = fresh ?? body;
    const headers = sent === undefined ? asked.headers : withLength(asked.headers, sent.length);
    const { hostname, port } = new URL(node.url);
    const forwarded = request({ agent: this.#agent, hostname, port, method, path: url, headers, setHost: false });
    forwarded.on('error', () => answer.headersSent || answer.destroy());
    answer.on('close', () => forwarded.destroy());
    forwarded.on('response', (given) => {
      this.#revision = Math.max(this.#revision, applied.now());
      answer.writeHead(given.statusCode ?? 0, given.statusMessage, given.rawHeaders);
      answer.flushHeaders();
      given.pipe(answer);
    });
    if (sent !== undefined) forwarded.end(sent);
    else if (!(await isRefused(forwarded, asked))) asked.pipe(forwarded);
  }

  /** Undefined where the body is not one that a token can be added to. */
  #withToken(body: Buffer, { tokens }: AppliedRevision): Buffer | undefined {
    try {
      const parsed = JSON.parse(body.toString());
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) || 'consistency' in parsed)
        return undefined;
      return Buffer.from(JSON.stringify({ ...parsed, consistency: { atLeast: tokens.of(this.#revision) } }));
    } catch {
      return undefined;
    }
  }
}

/** Whether a body is too large for a node: it answers before the body comes, and closes. */
async function isRefused(forwarded: ClientRequest, { headers }: IncomingMessage): Promise<boolean> {
  if (Number(headers['content-length'] ?? 0) < LARGE_BYTES) return false;
  forwarded.flushHeaders();
  return Promise.race([once(forwarded, 'response').then(() => true), sleep(REFUSED_MS, false)]);
}

function withLength({ 'transfer-encoding': _, ...headers }: IncomingMessage['headers'], length: number) {
  return { ...headers, 'content-length': String(length) };
}
