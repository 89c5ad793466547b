import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Three NATS servers on loopback that flush before they acknowledge. */
export interface NatsServers {
  readonly url: string;
  readonly monitorUrl: string;
  stop(): void;
}

const START_MS = 60_000;

/** The program that `RELATA_BENCH_NATS` names, or the one in the path. */
export function natsProgram(): string | undefined {
  const program = process.env.RELATA_BENCH_NATS ?? 'nats-server';
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return program;
  } catch {
    return undefined;
  }
}

export async function startNatsServers(program: string, scratch: string): Promise<NatsServers> {
  const ports: { client: number; route: number; monitor: number }[] = [];
  for (let n = 0; n < 3; n++) {
    ports.push({ client: await freePort(), route: await freePort(), monitor: await freePort() });
  }
  const routes = ports.map(({ route }) => `nats://127.0.0.1:${route}`).join(', ');
  const children: ChildProcess[] = [];
  const stop = (): void => {
    for (const child of children) child.kill('SIGKILL');
  };
  try {
    for (const [n, { client, route, monitor }] of ports.entries()) {
      const folder = join(scratch, `nats-${n}`);
      mkdirSync(folder, { recursive: true });
      const file = join(folder, 'nats.conf');
      writeFileSync(
        file,
        `server_name: n${n}\nlisten: "127.0.0.1:${client}"\nhttp: "127.0.0.1:${monitor}"\n` +
          `jetstream { store_dir: "${folder}", sync_interval: always }\n` +
          `cluster { name: bench, listen: "127.0.0.1:${route}", routes: [${routes}] }\n`,
      );
      children.push(spawn(program, ['-c', file], { stdio: 'ignore' }));
    }
    const until = Date.now() + START_MS;
    for (const { monitor } of ports) {
      while (!(await isHealthy(monitor))) {
        if (Date.now() > until) throw new Error('the NATS servers did not start');
        await sleep(50);
      }
    }
  } catch (error) {
    stop();
    throw error;
  }
  return {
    url: ports.map(({ client }) => `nats://127.0.0.1:${client}`).join(','),
    monitorUrl: ports.map(({ monitor }) => `http://127.0.0.1:${monitor}`).join(','),
    stop,
  };
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok;
  } catch {
    return false; // it has not begun to listen
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
