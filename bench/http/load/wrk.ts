import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BodyFile } from './body-file.ts';
import { ProcessCpu } from './process-cpu.ts';

const GENERATOR = 'wrk';
const SCRIPTS = new URL('../../../../bench/http/load/', import.meta.url);
/** A generator that is this busy may be what limits the rate. */
const SATURATED_CORES = 0.95;

export interface Load extends LoadBasis {
  readonly bodies: BodyFile;
  /** Requests a second; 0 for as many as are answered. */
  readonly rate: number;
}

/** What every load has, whatever is sent. */
export interface LoadBasis {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** The process that is asked, to be watched as well. */
  readonly serverPid: number | undefined;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** In microseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly generatorCores: number;
  readonly serverCores: number;
  /** Why the numbers say nothing, where they do not. */
  readonly isVoid?: string;
}

interface WrkReport {
  readonly requests: number;
  readonly micros: number;
  readonly broken: number;
  readonly refused: number;
  readonly timedOut: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

export function hasWrk(): boolean {
  return spawnSync(GENERATOR, ['-v']).error === undefined;
}

/** Sends requests with one thread of wrk. Throws where a request was refused or got no answer. */
export function load({ bodies, rate, ...basis }: Load): Promise<LoadResult> {
  return loadScripted(basis, 'cycle.lua', [bodies.path, String(bodies.width), String(rate)]);
}

/** The same with another script, which sends what it makes of its arguments. */
export async function loadScripted(
  { url, headers, connections, seconds, serverPid }: LoadBasis,
  script: 'cycle.lua' | 'refresh.lua',
  scripted: readonly string[],
): Promise<LoadResult> {
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const path = fileURLToPath(new URL(script, SCRIPTS));
  const flags = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', path, ...named, url];
  const child = spawn(GENERATOR, [...flags, '--', ...scripted], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const generator = new ProcessCpu(child.pid ?? 0);
  const server = serverPid === undefined ? undefined : new ProcessCpu(serverPid);
  const [code] = (await once(child, 'close')) as [number | null];
  const generatorCores = generator.stop(seconds * 0.8);
  const serverCores = server?.stop(seconds * 0.8) ?? Number.NaN;
  const json = /^\{.*\}$/m.exec(output);
  if (code !== 0 || json === null) throw new Error(`wrk ended with ${code}: ${output}`);
  const report = JSON.parse(json[0]) as WrkReport;
  const { requests, micros, broken, refused, timedOut, p50, p99, p999 } = report;
  if (broken + refused + timedOut > 0 || requests === 0) throw new Error(`requests went wrong: ${json[0]}`);
  const isSaturated = generatorCores >= SATURATED_CORES;
  return {
    requests,
    requestsPerSecond: requests / (micros / 1e6),
    p50,
    p99,
    p999,
    generatorCores,
    serverCores,
    ...(isSaturated ? { isVoid: `wrk used ${generatorCores.toFixed(2)} of a core and may be the limit` } : {}),
  };
}
