import { type ChildProcess, spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { buildProgram } from '../../src/cli/index.ts';
import { describeService } from '../../src/server/modules.ts';

export interface CliResult {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

export interface CliInput {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
}

/** A line that is written after some seconds of work: on a machine that has much else to do, by any command. */
const PROGRESS = /^[^\n]*: (?:[\d.]+ %, )?[\d,]+ [\w ]+, [\d,]+\/s(?:, [^\n]* left)?\n$/;

/** Runs a command in this process, as `relata ...` would. Lines of progress are left out. */
export async function runCli(argv: readonly string[], given: CliInput = {}): Promise<CliResult> {
  const result = { out: '', err: '', code: 0 };
  const output = (name: 'out' | 'err') => ({
    isTTY: given.isTTY ?? false,
    columns: 100,
    write(text: string | Uint8Array) {
      const line = typeof text === 'string' ? text : Buffer.from(text).toString();
      if (!PROGRESS.test(line)) result[name] += line;
      return true;
    },
    on: () => undefined,
  });
  const terminal = {
    input: Readable.from(given.input === undefined ? [] : [Buffer.from(given.input)]),
    out: output('out'),
    err: output('err'),
    environment: given.environment ?? {},
    setExitCode(code: number) {
      result.code = code;
    },
  };
  const describe = () => Promise.resolve(describeService());
  await buildProgram({ serve: () => Promise.resolve(), describe, terminal, verifier: BUILT_VERIFIER }).parse(argv);
  return result;
}

export const BUILT_VERIFIER = new URL('../../dist/bundle/verify-process.js', import.meta.url);
export const BUILT_MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));

/** The built command in a process of its own, which a test can kill. */
export function startCli(argv: readonly string[]): ChildProcess {
  return spawn(process.execPath, [BUILT_MAIN, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
}
