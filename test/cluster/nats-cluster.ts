import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nextPort } from '../server/next-port.ts';
import { listenAddressOf, loopback, type Place } from './place.ts';

interface Server {
  readonly name: string;
  readonly place: Place;
  /** What it keeps. */
  readonly folder: string;
  readonly clock: string | undefined;
  readonly client: number;
  readonly route: number;
  readonly monitor: number;
  child: ChildProcess | undefined;
}

export interface NatsClusterOptions {
  /** Of the program. */
  readonly path: string;
  readonly servers?: number;
  /** What stands in the `jetstream` block. By default the disk is the bound, and not a share of what it has at a start. */
  readonly jetstream?: string;
  /** More blocks: who may connect, and how. */
  readonly more?: string;
  /** Of each server; all on loopback where absent. */
  readonly places?: readonly Place[];
  /** Of each server: what it keeps. */
  readonly folders?: readonly string[];
  /** Of each server: a file with the milliseconds that its clock is off, where the program reads it. */
  readonly clocks?: readonly string[];
}

const START_MS = 60_000;
const HEALTH_MS = 2000;

/** Servers of NATS on loopback, each a process with a folder of its own. */
export class NatsCluster {
  readonly #folder = mkdtempSync(join(tmpdir(), 'relata-nats-'));
  readonly #options: NatsClusterOptions;
  readonly #servers: Server[] = [];

  private constructor(options: NatsClusterOptions) {
    this.#options = options;
  }

  /** What a test connects with by itself. */
  get settings() {
    const replicas = this.#servers.length;
    return { url: this.url, stream: 'relata', replicas, allowUnsafe: true, name: 'test', fingerprint: '' };
  }

  static async start(options: NatsClusterOptions): Promise<NatsCluster> {
    const cluster = new NatsCluster(options);
    try {
      for (let i = 0; i < (options.servers ?? 3); i++) {
        const [client, route, monitor] = [await nextPort(), await nextPort(), await nextPort()];
        const name = `n${i}`;
        const place = options.places?.[i] ?? loopback;
        const folder = options.folders?.[i] ?? join(cluster.#folder, name);
        const clock = options.clocks?.[i];
        cluster.#servers.push({ name, place, folder, clock, client, route, monitor, child: undefined });
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
    return this.#servers.map(({ place, client }) => `nats://${place.address}:${client}`).join(',');
  }

  get monitorUrl(): string {
    return this.#servers.map(({ place, monitor }) => `http://${place.address}:${monitor}`).join(',');
  }

  /** Starts a server, with what its folder has. */
  run(i: number): void {
    const server = this.#server(i);
    const file = join(this.#folder, `${server.name}.conf`);
    writeFileSync(file, this.#configOf(server));
    const [command = '', ...parameters] = [...server.place.prefix, this.#options.path, '-c', file];
    const env = { ...process.env, ...(server.clock === undefined ? {} : { TEST_CLOCK_FILE: server.clock }) };
    server.child = spawn(command, parameters, { stdio: 'ignore', env });
  }

  get count(): number {
    return this.#servers.length;
  }

  /** What a server keeps. */
  folderOf(i: number): string {
    return this.#server(i).folder;
  }

  /** What a server wrote about itself. */
  outputOf(i: number): string {
    return readFileSync(this.#logFileOf(this.#server(i).name), 'utf8');
  }

  /** What a server tells of its streams and of their leaders. */
  async stateOf(i: number): Promise<string> {
    const { place, monitor } = this.#server(i);
    const paths = [
      'healthz?details=true',
      'jsz?accounts=true&streams=true&consumers=true&raft=true',
      'raftz',
      'routez',
    ];
    const told = paths.map(async (path) => {
      const signal = AbortSignal.timeout(HEALTH_MS);
      const answer = fetch(`http://${place.control}:${monitor}/${path}`, { signal }).then((each) => each.text());
      return [path, await answer.catch(String)];
    });
    return JSON.stringify(Object.fromEntries(await Promise.all(told)), undefined, 2);
  }

  /** The server that has a node's connection to the log. A node that keeps the snapshots has another one for them. */
  async serverOf(address: string): Promise<number> {
    for (const [i, { place, monitor }] of this.#servers.entries()) {
      const told = await fetch(`http://${place.control}:${monitor}/connz?subs=true`).then((answer) => answer.json());
      if (told.connections.some((each: ToldConnection) => each.ip === address && isToLog(each))) return i;
    }
    throw new Error(`nobody is connected from ${address}`);
  }

  signal(i: number, signal: NodeJS.Signals): void {
    this.#server(i).child?.kill(signal);
  }

  /** Whether it was started, and has not ended. */
  isRunning(i: number): boolean {
    const { child } = this.#server(i);
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  async kill(i: number): Promise<void> {
    const { child } = this.#server(i);
    if (child === undefined || !this.isRunning(i)) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Resolves when the servers have a leader, and every one of them is up to date. */
  async ready(withinMs = START_MS): Promise<void> {
    if ((await this.unhealthyAfter(withinMs)).length > 0) throw new Error('the NATS servers did not start');
  }

  /** Those that do not call themselves healthy within the time: mostly none. */
  async unhealthyAfter(withinMs = START_MS): Promise<number[]> {
    const until = Date.now() + withinMs;
    const unhealthy: number[] = [];
    for (const [i, { place, monitor }] of this.#servers.entries()) {
      let isWell = await isHealthy(`http://${place.control}:${monitor}`);
      for (; !isWell && Date.now() <= until; isWell = await isHealthy(`http://${place.control}:${monitor}`))
        await sleep(50);
      if (!isWell) unhealthy.push(i);
    }
    return unhealthy;
  }

  /** Which server leads a stream. */
  async leaderOf(stream: string): Promise<number> {
    for (const { place, monitor } of this.#servers) {
      const told = await fetch(`http://${place.control}:${monitor}/jsz?streams=1`).then(
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

  #logFileOf(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  #configOf({ name, place, folder, client, route, monitor }: Server): string {
    mkdirSync(folder, { recursive: true });
    const address = listenAddressOf(place);
    const routes = this.#servers.map((server) => `nats://${server.place.address}:${server.route}`).join(', ');
    const cluster =
      this.#servers.length === 1 ? '' : `cluster { name: relata, listen: "${address}:${route}", routes: [${routes}] }`;
    return `server_name: ${name}
listen: "${address}:${client}"
http: "${address}:${monitor}"
log_file: "${this.#logFileOf(name)}"
jetstream { store_dir: "${folder}", ${this.#options.jetstream ?? 'sync_interval: always, max_file_store: 64GB'} }
${cluster}
${this.#options.more ?? ''}
`;
  }
}

interface ToldConnection {
  readonly ip: string;
  readonly subscriptions_list?: readonly string[];
}

/** A node tells its status on this connection alone. */
function isToLog({ subscriptions_list = [] }: ToldConnection): boolean {
  return subscriptions_list.includes('relata.status');
}

function isHealthy(monitor: string): Promise<boolean> {
  return fetch(`${monitor}/healthz`, { signal: AbortSignal.timeout(HEALTH_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
