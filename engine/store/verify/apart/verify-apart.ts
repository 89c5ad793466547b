import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EngineError, unwrap } from '../../../errors.ts';
import { requireDataFile } from '../../folder/data-file.ts';
import type { VerifyReport } from '../verify.ts';
import type { VerifyEvent } from './verify-process.ts';
import type { WalkedTable } from './walk.ts';

const BUILT_ENTRY = new URL('./verify-process.js', import.meta.url);
const SILENT_MAX_MS = 60_000;
const STDERR_MAX = 2000;

export interface ApartOptions {
  /** The built `verify-process.js`. */
  readonly entry?: URL;
  /** Silence after which reading a table counts as endless: damaged pages may form a circle. */
  readonly silentMaxMs?: number;
}

/**
 * Like `verifyStore`, but in separate processes, because pages may be damaged. If LMDB ends a process, that is a
 * finding: it names the table and how much of it was read. The next process reads the tables after a damaged one.
 */
export async function verifyApart(path: string, options: ApartOptions = {}): Promise<VerifyReport> {
  requireReadable(path);
  const found = new Damage();
  for (;;) {
    const run = await runProcess(options, [path, ...found.judged], (event) => found.note(event));
    if (run.outcome !== undefined) return unwrap(run.outcome);
    if (run.isWhole) return found.report();
    if (run.isDamaged) continue;
    const at = run.last === 'comparing' ? undefined : run.last;
    found.add(
      at,
      `the store's pages are damaged: LMDB ended the process (${run.end}) while ${stageOf(run.last)}${run.said}`,
    );
    if (at === undefined) return found.report();
  }
}

function requireReadable(path: string): void {
  try {
    requireDataFile(join(path, 'data.mdb'));
  } catch (error) {
    if (error instanceof EngineError) throw error;
    throw new EngineError('corrupt', `${path} cannot be opened: ${String(error)}`, {}, error);
  }
}

function stageOf(last: WalkedTable | 'comparing' | undefined): string {
  if (last === 'comparing') return 'comparing what is stored twice';
  if (last === undefined) return 'looking for the tables';
  return `reading table ${last.table}: at least ${last.rows} of ${last.total} rows can be read`;
}

/** Combines what the processes have told. */
class Damage {
  readonly judged: string[] = [];
  readonly #problems: string[] = [];
  readonly #rows = new Map<string, number>();
  #revision = 0;

  note(event: VerifyEvent): void {
    if (event.kind === 'revision') this.#revision = event.revision;
    if (!('table' in event)) return;
    this.#rows.set(event.table, event.rows);
    if (event.kind === 'damaged') {
      const { table, rows, total, problem } = event;
      const what = `${problem}: ${rows} of ${total} rows can be read`;
      this.add(event, `the store's pages are damaged: table ${table}: ${what}`);
    } else if (event.kind === 'read') this.judged.push(event.table);
  }

  add(at: WalkedTable | undefined, problem: string): void {
    if (at !== undefined) this.judged.push(at.table);
    this.#problems.push(problem);
  }

  report(): VerifyReport {
    const rows = (table: string): number => this.#rows.get(table) ?? 0;
    return {
      revision: this.#revision,
      stores: rows('stores'),
      tuples: rows('forward'),
      records: rows('records'),
      commits: rows('log'),
      problems: this.#problems,
      problemCount: this.#problems.length,
      isDamaged: true,
    };
  }
}

interface Run {
  readonly isWhole: boolean;
  /** It has told of a damaged table, and ended there. */
  readonly isDamaged: boolean;
  readonly outcome?: Extract<VerifyEvent, { kind: 'compared' }>['outcome'];
  /** What the process was doing when it ended. */
  readonly last: WalkedTable | 'comparing' | undefined;
  /** A signal, or an exit code. */
  readonly end: string;
  readonly said: string;
}

function runProcess(
  { entry = BUILT_ENTRY, silentMaxMs = SILENT_MAX_MS }: ApartOptions,
  parameters: readonly string[],
  note: (event: VerifyEvent) => void,
): Promise<Run> {
  const child = spawn(process.execPath, [fileURLToPath(entry), ...parameters], { stdio: ['ignore', 'pipe', 'pipe'] });
  let run: Partial<Run> = {};
  let said = '';
  const silence = setTimeout(() => child.kill('SIGKILL'), silentMaxMs);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-STDERR_MAX);
  });
  createInterface(child.stdout).on('line', (line) => {
    const event = JSON.parse(line) as VerifyEvent; // of the same version, and each line is one write
    note(event);
    // comparing tells nothing until it is done
    if (event.kind === 'comparing') clearTimeout(silence);
    else silence.refresh();
    run = { ...run, ...told(event) };
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(silence);
      const words = said.trim().split('\n').at(-1) ?? '';
      const end = signal ?? `exit code ${code}`;
      resolve({
        isWhole: false,
        isDamaged: false,
        last: undefined,
        ...run,
        end,
        said: words === '' ? '' : `; it said: ${words}`,
      });
    });
  });
}

function told(event: VerifyEvent): Partial<Run> {
  switch (event.kind) {
    case 'reading':
      return { last: event };
    case 'comparing':
      return { last: 'comparing' };
    case 'compared':
      return { outcome: event.outcome };
    case 'walked':
      return { isWhole: true };
    case 'damaged':
      return { isDamaged: true };
    default:
      return { last: undefined };
  }
}
