import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nextPort } from '../server/next-port.ts';

interface Server {
  readonly name: string;
  readonly client: number;
  readonly route: number;
  readonly monitor: number;
  child: ChildProcess | undefined;
}

export interface NatsClusterOptions {
  /** Of the program. */
  readonly path: string;
  readonly servers?: number;
  /** What stands in the `jetstream` block. */
  readonly jetstream?: string;
  /** More blocks: who may connect, and how. */
  readonly more?: string;
}

const START_MS = 60_000;

/** Servers of NATS on loopback, each a process with a folder of its own. */
export class NatsCluster {
  readonly #folder = mkdtempSync(join(tmpdir(), 'relata-nats-'));
  readonly #options: NatsClusterOptions;
  readonly #servers: Server[] = [];

  private constructor(options: NatsClusterOptions) {
    this.#options = options;
  }

  static async start(options: NatsClusterOptions): Promise<NatsCluster> {
    const cluster = new NatsCluster(options);
    try {
      for (let i = 0; i < (options.servers ?? 3); i++) {
        const [client, route, monitor] = [await nextPort(), await nextPort(), await nextPort()];
        cluster.#servers.push({ name: `n${i}`, client, route, monitor, child: undefined });
      }
      for (let i = 0; i < cluster.#servers.length; i++) cluster.run(i);
      await cluster.ready();
      return cluster;
    } catch (error) {
      cluster.remove();
      throw error;
    }
  }

  get url(): string {
    return this.#servers.map(({ client }) => `nats://127.0.0.1:${client}`).join(',');
  }

  get monitorUrl(): string {
    return this.#servers.map(({ monitor }) => `http://127.0.0.1:${monitor}`).join(',');
  }

  /** Starts a server, with what its folder has. */
  run(i: number): void {
    const server = this.#server(i);
    const file = join(this.#folder, `${server.name}.conf`);
    writeFileSync(file, this.#configOf(server));
    server.child = spawn(this.#options.path, ['-c', file], { stdio: 'ignore' });
  }

  async kill(i: number): Promise<void> {
    const { child } = this.#server(i);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Resolves when the servers have a leader, and every one of them is up to date. */
  async ready(): Promise<void> {
    const until = Date.now() + START_MS;
    for (const { monitor } of this.#servers) {
      while (!(await isHealthy(monitor))) {
        if (Date.now() > until) throw new Error('the NATS servers did not start');
        await sleep(50);
      }
    }
  }

  /** Which server leads a stream. */
  async leaderOf(stream: string): Promise<number> {
    for (const { monitor } of this.#servers) {
      const told = await fetch(`http://127.0.0.1:${monitor}/jsz?streams=1`).then(
        (answer) => answer.json(),
        () => undefined,
      );
      const streams = (told?.account_details ?? []).flatMap(
        (account: { stream_detail?: unknown[] }) => account.stream_detail ?? [],
      );
      const leader = streams.find(({ name }: { name: string }) => name === stream)?.cluster?.leader;
      const i = this.#servers.findIndex(({ name }) => name === leader);
      if (i !== -1) return i;
    }
    throw new Error(`nobody leads ${stream}`);
  }

  remove(): void {
    for (const { child } of this.#servers) child?.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #server(i: number): Server {
    return this.#servers[i] as Server; // the caller counts them
  }

  #configOf({ name, client, route, monitor }: Server): string {
    const store = join(this.#folder, name);
    mkdirSync(store, { recursive: true });
    const routes = this.#servers.map((server) => `nats://127.0.0.1:${server.route}`).join(', ');
    const cluster =
      this.#servers.length === 1 ? '' : `cluster { name: relata, listen: "127.0.0.1:${route}", routes: [${routes}] }`;
    return `server_name: ${name}
listen: "127.0.0.1:${client}"
http: "127.0.0.1:${monitor}"
jetstream { store_dir: "${store}", ${this.#options.jetstream ?? 'sync_interval: always'} }
${cluster}
${this.#options.more ?? ''}
`;
  }
}

function isHealthy(monitor: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${monitor}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
