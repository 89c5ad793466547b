import { EngineError, type EngineErrorCode } from '#engine';
import { ConfigError, ListenError } from '../platform/index.ts';
import { CliError, EXIT } from './cli-error.ts';
import { fileProblem, isFileUnusable } from './file-problem.ts';
import type { Terminal } from './terminal.ts';

/** Runs a command's work; whatever goes wrong is one line on standard error and an exit code. */
export async function runAction(terminal: Terminal, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    terminal.err.write(`relata: ${oneLine(messageOf(error))}\n`);
    terminal.setExitCode(exitCodeOf(error));
    if (exitCodeOf(error) === EXIT.failed && terminal.environment.RELATA_LOG_LEVEL === 'debug') {
      terminal.err.write(`${(error as Error).stack}\n`);
    }
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.join('; ');
  return fileProblem(error) ?? (error instanceof Error ? error.message : String(error));
}

const FAILURES: ReadonlySet<EngineErrorCode> = new Set(['unavailable', 'corrupt', 'fenced']);

/** Engine errors are about the caller's input, except those about another process or the disk. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  if (error instanceof ConfigError) return EXIT.unusable;
  if (error instanceof ListenError) return error.isInUse ? EXIT.inUse : EXIT.unusable;
  if (!(error instanceof EngineError)) return isFileUnusable(error) ? EXIT.unusable : EXIT.failed;
  if (error.code === 'in_use') return EXIT.inUse;
  return FAILURES.has(error.code) ? EXIT.failed : EXIT.unusable;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
