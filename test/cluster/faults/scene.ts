import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NatsCluster } from '../nats-cluster.ts';
import { loopback, type Place } from '../place.ts';
import { environmentOf, RelataNode, RelataNodes } from '../relata-nodes.ts';
import { whyNoDisks, whyNoNetworks } from './machine.ts';
import { Network } from './network.ts';
import { SmallDisk } from './small-disk.ts';

/** For three snapshots of what some hundred rounds leave. */
const DISK_MIB = 768;
export const COUNT = 3;

const preload = new URL('shifted-clock.mjs', import.meta.url).href;

/**
 * Three NATS servers and three nodes, of which everything can be broken: each in a network and on a disk of its own where
 * that is allowed. Members of the network are the servers, then the nodes.
 */
export class Scene {
  readonly servers: NatsCluster;
  readonly nodes: RelataNodes;
  readonly network: Network | undefined;
  /** Of the servers, then of the nodes. */
  readonly disks: readonly SmallDisk[] | undefined;
  /** Whether the clocks of the servers can be moved. */
  readonly serverClocks: true | undefined;
  /** Servers that were given an older copy of what they keep. */
  readonly setBack = new Set<number>();
  /** How many of them had to be emptied. */
  emptied = 0;
  /** How many others did not become healthy by themselves. */
  restarted = 0;
  readonly #folder: string;

  private constructor(
    parts: Pick<Scene, 'servers' | 'nodes' | 'network' | 'disks' | 'serverClocks'> & { readonly folder: string },
  ) {
    this.servers = parts.servers;
    this.nodes = parts.nodes;
    this.network = parts.network;
    this.disks = parts.disks;
    this.serverClocks = parts.serverClocks;
    this.#folder = parts.folder;
  }

  /**
   * @param path of the program `nats-server`
   * @param serverClocks that it is the one of which a file moves the clock
   */
  static async start(path: string, serverClocks?: true): Promise<Scene> {
    const folder = mkdtempSync(join(tmpdir(), 'relata-scene-'));
    const network = whyNoNetworks() === undefined ? new Network(2 * COUNT) : undefined;
    const disks =
      whyNoDisks() === undefined ? Array.from({ length: 2 * COUNT }, () => new SmallDisk(DISK_MIB)) : undefined;
    const places = network?.places ?? Array.from({ length: 2 * COUNT }, () => loopback);
    const folders = disks?.slice(0, COUNT).map((disk) => join(disk.folder, 'jetstream'));
    let servers: NatsCluster | undefined;
    const nodes: RelataNode[] = [];
    try {
      const clocks = Array.from({ length: 2 * COUNT }, (_, member) => clockFileOf(folder, member));
      for (const clock of clocks) writeFileSync(clock, '0');
      servers = await NatsCluster.start({ path, places, clocks, ...(folders === undefined ? {} : { folders }) });
      for (let i = 0; i < COUNT; i++) {
        const environment = {
          ...environmentOf(servers),
          RELATA_CLUSTER_SNAPSHOT_MESSAGES: '400',
          RELATA_LIMIT_RATE_REFUSED: '0',
          TEST_CLOCK_FILE: clocks[COUNT + i] as string,
          NODE_OPTIONS: `--import=${preload}`,
        };
        nodes.push(await RelataNode.start(environment, disks?.[COUNT + i]?.folder, places[COUNT + i] as Place));
      }
      return new Scene({ servers, nodes: new RelataNodes(nodes), network, disks, serverClocks, folder });
    } catch (error) {
      for (const node of nodes) await node.process.stop('SIGKILL');
      servers?.remove();
      for (const disk of disks ?? []) disk.remove();
      network?.remove();
      throw error;
    }
  }

  /**
   * Resolves when all servers are well. One that does not say so by itself is started again once, as a probe of its health
   * would do. One that was set back can be refused the log by its leader for ever: then it is emptied, as the guide to
   * clusters says.
   */
  async serversReady(): Promise<void> {
    const unhealthy = await this.servers.unhealthyAfter();
    if (unhealthy.length === 0) return;
    for (const i of this.setBack.size > 0 ? this.setBack : unhealthy) {
      await this.servers.kill(i);
      if (this.setBack.has(i)) {
        rmSync(this.servers.folderOf(i), { recursive: true });
        this.emptied++;
      } else this.restarted++;
      this.servers.run(i);
    }
    await this.servers.ready();
    this.setBack.clear();
  }

  /** Moves the time of day of a member. */
  setClock(member: number, shiftMs: number): void {
    writeFileSync(clockFileOf(this.#folder, member), String(shiftMs));
  }

  async remove(): Promise<void> {
    for (const node of this.nodes.nodes) await node.process.stop('SIGKILL');
    if (this.disks === undefined) await this.nodes.remove();
    this.servers.remove();
    for (const disk of this.disks ?? []) disk.remove();
    this.network?.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function clockFileOf(folder: string, member: number): string {
  return join(folder, `clock-${member}`);
}
