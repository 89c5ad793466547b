import { nextPort } from '../server/next-port.ts';
import { platformKey, RunningService, Service } from '../server/running-service.ts';
import type { NatsCluster } from './nats-cluster.ts';
import { listenAddressOf, loopback, type Place } from './place.ts';

type Environment = Readonly<Record<string, string>>;

/** A node of a cluster: a built service in a folder of its own, called at its own port and not at the cluster's address. */
export class RelataNode extends Service {
  readonly process: RunningService;
  readonly #environment: Environment;
  readonly #place: Place;

  private constructor(process: RunningService, environment: Environment, place: Place) {
    super({ folder: process.folder, url: `http://${place.control}:${environment.RELATA_PORT}` });
    this.process = process;
    this.#environment = environment;
    this.#place = place;
  }

  /** @param program the file that is run, where it is not the one that was built */
  static async start(
    environment: Environment,
    folder?: string,
    place = loopback,
    program?: string,
  ): Promise<RelataNode> {
    const all = {
      ...environment,
      RELATA_HOST: listenAddressOf(place),
      RELATA_PORT: environment.RELATA_PORT ?? String(await nextPort()),
    };
    return new RelataNode(await RunningService.start(all, folder, place.prefix, program), all, place);
  }

  /** Starts it again in its folder, with the program that was built. */
  async restart(signal: NodeJS.Signals = 'SIGKILL'): Promise<RelataNode> {
    await this.process.stop(signal);
    return RelataNode.start(this.#environment, this.folder, this.#place);
  }
}

/** Nodes of one cluster. */
export class RelataNodes {
  readonly nodes: RelataNode[];

  constructor(nodes: RelataNode[]) {
    this.nodes = nodes;
  }

  static async start(servers: NatsCluster, count = 3, more: Environment = {}, program?: string): Promise<RelataNodes> {
    const started = await Promise.allSettled(
      Array.from({ length: count }, () =>
        RelataNode.start({ ...environmentOf(servers), ...more }, undefined, loopback, program),
      ),
    );
    const nodes = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const cluster = new RelataNodes(nodes);
    const failed = started.find((each) => each.status === 'rejected');
    if (failed === undefined) return cluster;
    await cluster.remove();
    throw failed.reason;
  }

  get(i: number): RelataNode {
    return this.nodes[i] as RelataNode; // the caller counts them
  }

  async restart(i: number, signal?: NodeJS.Signals): Promise<void> {
    this.nodes[i] = await this.get(i).restart(signal);
  }

  async remove(): Promise<void> {
    for (const node of this.nodes) await node.process.remove();
  }
}

export function environmentOf(servers: NatsCluster): Environment {
  return {
    RELATA_CLUSTER_URL: servers.url,
    RELATA_CLUSTER_MONITOR_URL: servers.monitorUrl,
    RELATA_BASE_URL: 'http://localhost:8080',
    RELATA_PLATFORM_KEY: platformKey,
    RELATA_MASTER_KEY: 'master-key-of-the-tests-0123456789-0123456789',
    RELATA_CLUSTER_START_WAIT_S: '0',
    RELATA_DEMO: '0',
    RELATA_THREADS: '1',
    RELATA_LOG_LEVEL: 'info',
  };
}
