import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { repositoryRoot } from '../../architecture/source-tree.ts';
import type { Place } from '../place.ts';

type Environment = Readonly<Record<string, string>>;

/** A container as a file describes it, without its image. */
export interface Container {
  /** What the others call it. */
  readonly host: string;
  /** What its image starts, with the parameters of the file. */
  readonly command: readonly string[];
  readonly environment: Environment;
}

const RESTART_MS = 1000;

/** Puts a file of a test over /etc/hosts, where this process and its children alone see it. */
const withHosts = ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/hosts && exec "$@"'];

/** A process with the command and the environment of a container, in a network of its own. */
export class StartedContainer {
  readonly host: string;
  readonly #control: string;
  #child: ChildProcess;
  #isStopped = false;
  #output = '';

  /** @param hosts a file with the names of all */
  constructor({ host, command, environment }: Container, { prefix, control }: Place, hosts: string) {
    this.host = host;
    this.#control = control;
    this.#child = this.#run([...prefix, ...withHosts, hosts, ...command], environment);
  }

  /** Again where it ends by itself, as every container here: a node does that as long as it reaches no server. */
  #run(command: readonly string[], environment: Environment): ChildProcess {
    const [program = '', ...parameters] = command;
    const env = { PATH: process.env.PATH ?? '', ...environment };
    const child = spawn(program, parameters, { cwd: repositoryRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output += chunk;
      });
    }
    child.on('exit', async () => {
      await sleep(RESTART_MS);
      if (!this.#isStopped) this.#child = this.#run(command, environment);
    });
    return child;
  }

  get output(): string {
    return this.#output;
  }

  urlOf(port: number): string {
    return `http://${this.#control}:${port}`;
  }

  /** Answers the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#isStopped = true;
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill(signal);
      await exited;
    }
    return this.#child.exitCode;
  }
}

/** What a server starts: with the shipped settings, but for the folder that is its `/data`. */
export function serverCommand(program: string, parameters: readonly string[], data: string): string[] {
  const shipped = readFileSync(join(repositoryRoot, 'config/cluster/kubernetes/nats.conf'), 'utf8');
  const file = join(data, 'nats.conf');
  mkdirSync(data, { recursive: true });
  writeFileSync(file, shipped.replace('"/data"', JSON.stringify(data)));
  return [program, ...parameters.map((text) => text.replace('/etc/nats/nats.conf', file))];
}

const dockerfile = readFileSync(join(repositoryRoot, 'Dockerfile'), 'utf8');

/** What the image of a node starts. */
export function imageCommand(): string[] {
  return JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? '') as string[];
}

/** What the image of a node sets. */
export function imageEnvironment(): Environment {
  const text = /^ENV ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1] ?? '';
  return Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
}
