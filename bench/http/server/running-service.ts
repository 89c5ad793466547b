import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TransportKind } from './transport-shape.ts';

const MAIN = fileURLToPath(new URL('../../../bundle/main.js', import.meta.url));
const STOP_MS = 20_000;

/** A server in a process of its own. */
export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Runs a command of `relata` to its end and answers what it printed. */
export async function relata(...parameters: string[]): Promise<string> {
  const child = spawn(process.execPath, [MAIN, ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`relata ${parameters[0]} ended with ${code}: ${errors}${output}`);
  return output;
}

/**
 * `relata serve` with one acceptor, on a free port of this machine. `more` are further variables of its environment;
 * `node` is the Node.js that runs it.
 */
export async function startService(
  dataFolder: string,
  more: Readonly<Record<string, string>> = {},
  node = process.execPath,
): Promise<RunningServer> {
  const child = spawn(node, [...process.execArgv, MAIN, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      RELATA_DATA_DIR: dataFolder,
      RELATA_HOST: '127.0.0.1',
      RELATA_PORT: '0',
      RELATA_THREADS: '1',
      RELATA_DEMO: '0',
      RELATA_LOG_LEVEL: 'error',
      ...more,
    },
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`relata serve ended with ${code}: ${output}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = /^Relata serves at (\S+)$/m.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return running(child, url);
}

/** The server that answers everything with the same JSON. */
export async function startEmptyServer(
  transport: 'auto' | TransportKind = 'auto',
  node = process.execPath,
): Promise<RunningServer> {
  const child = fork(new URL('./empty-server.js', import.meta.url), [transport], { execPath: node });
  const [port] = (await once(child, 'message')) as [number];
  return running(child, `http://127.0.0.1:${port}`);
}

function running(child: ChildProcess, url: string): RunningServer {
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(late);
    },
  };
}
