import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One statement of the suite about what it has tested. */
export interface Check {
  readonly id: string;
  readonly name: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** The checks of each scenario that ran, by its name. */
export type Results = ReadonlyMap<string, readonly Check[]>;

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const loader = new URL('glob-sync.mjs', import.meta.url).href;

/**
 * Runs `@modelcontextprotocol/conformance`, as it is, in a process and a folder of its own.
 * @param hear is given all that it has printed so far, whenever that is more
 */
export async function runSuite(
  parameters: readonly string[],
  hear: (output: string) => void = () => undefined,
): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'relata-conformance-'));
  try {
    const child = spawn(process.execPath, ['--import', loader, suite, ...parameters, '--output-dir', folder], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = outputOf(child, hear);
    await once(child, 'close');
    const results = resultsIn(folder);
    if (results.size === 0) throw new Error(`the suite tested nothing: ${output()}`);
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function outputOf({ stdout, stderr }: ChildProcess, hear: (output: string) => void): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      hear(text);
    });
  }
  return () => text;
}

/** The suite leaves a folder for each scenario: `server-tools-list-2026-07-28T10-00-00-000Z`. */
function resultsIn(folder: string): Results {
  return new Map(
    readdirSync(folder).map((name) => {
      const [, scenario = name] = /^(?:server|authorization-server)-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? [];
      return [scenario, JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[]];
    }),
  );
}
