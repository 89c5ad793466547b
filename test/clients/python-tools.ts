import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const INSTALL_MS = 180_000;
const RUN_MS = 240_000;
const OUTPUT_MAX = 64 * 1024 * 1024;

const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

export interface Ran {
  /** `null` where it was ended. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Programs of the Python Package Index, in an environment of their own. */
export class PythonTools {
  /** Why there are none, where there are none: no Python that is new enough, or nowhere to install from. */
  readonly missing: string | undefined;
  readonly #python: string;

  private constructor(python: string, missing?: string) {
    this.#python = python;
    this.missing = missing;
  }

  /**
   * Installs them where that has not been done.
   * @param packages with their versions, so that each run has the same
   */
  static async ready(packages: readonly string[]): Promise<PythonTools> {
    const digest = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
    const folder = join(cache, `python-${digest}`);
    const complete = join(folder, 'complete');
    const python = join(folder, 'bin', 'python');
    if (existsSync(complete)) return new PythonTools(python);
    const version = await run('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))']);
    if (version.code !== 0) {
      return new PythonTools(python, 'needs Python 3.11 or later with venv, which is not installed');
    }
    rmSync(folder, { recursive: true, force: true });
    const made = await run('python3', ['-m', 'venv', folder], INSTALL_MS);
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input', '--retries', '1'];
    const installed =
      made.code === 0 ? await run(python, ['-m', 'pip', 'install', ...quiet, ...packages], INSTALL_MS) : made;
    if (installed.code !== 0) {
      const reason = installed.errors.trim().split('\n').at(-1) ?? '';
      return new PythonTools(python, `needs packages that pip could not install: ${reason.slice(0, 200)}`);
    }
    writeFileSync(complete, '');
    return new PythonTools(python);
  }

  /** Runs a Python program of these tools; its standard input is what is given. */
  run(parameters: readonly string[], environment: Readonly<Record<string, string>> = {}, input = ''): Promise<Ran> {
    return run(this.#python, parameters, RUN_MS, environment, input);
  }
}

function run(
  command: string,
  parameters: readonly string[],
  timeout = INSTALL_MS,
  environment: Readonly<Record<string, string>> = {},
  input = '',
): Promise<Ran> {
  return new Promise((resolve) => {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1', ...environment };
    const child = execFile(command, parameters, { timeout, maxBuffer: OUTPUT_MAX, env }, (_, output, errors) => {
      resolve({ code: child.exitCode, output, errors });
    });
    child.on('error', () => {}); // told by the exit code, which is null
    child.stdin?.on('error', () => {}).end(input);
  });
}
