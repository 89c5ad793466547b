import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Area } from './areas.ts';
import { type FileResult, TestOrder } from './test-order.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

const COPIED = ['assets', 'config', 'dist', 'engine', 'package.json', 'README.md', 'scripts', 'src', 'test'];
const SETTINGS = ['package-lock.json', 'tsconfig.json', 'vitest.config.ts'];
const BUNDLE_MS = 60_000;
/** Generated inputs are the same for each change, so that what differs is the change alone. */
const SEED = '20240607';

/** What became of a run: its tests passed, one of them failed, it did not end, or there was nothing to run. */
export type Outcome = 'passed' | 'failed' | 'hung' | 'unbuildable';

/** A copy of the project in which sources are changed and tests run, so that the project itself is never touched. */
export class ScratchTree {
  readonly #path = mkdtempSync(join(tmpdir(), 'relata-mutations-'));
  readonly #order = new TestOrder();
  #running: ChildProcess | undefined;

  constructor() {
    for (const name of [...COPIED, ...SETTINGS]) cpSync(join(root, name), join(this.#path, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.#path, 'node_modules'));
  }

  read(file: string): string {
    return readFileSync(join(this.#path, file), 'utf8');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#path, file), text);
  }

  /** Runs the tests of an area until the first that fails: those first that noticed a change in the same file before. */
  async run({ tests, needsBundle }: Area, timeoutMs: number, changed = ''): Promise<Outcome> {
    if (needsBundle && (await this.#node(['scripts/bundle.mjs'], BUNDLE_MS)) !== 'passed') return 'unbuildable';
    const [cache, results] = [join(this.#path, 'modules'), join(this.#path, 'results.json')];
    writeFileSync(join(this.#path, 'order.json'), JSON.stringify(this.#order.of(changed)));
    rmSync(results, { force: true });
    const settings = ['--config=test/long/mutations/vitest.config.ts', '--bail=1', '--maxWorkers=1'];
    const output = ['--reporter=json', `--outputFile=${results}`];
    const modules = ['--experimental.fsModuleCache', `--experimental.fsModuleCachePath=${cache}`];
    const parameters = ['run', ...settings, ...output, ...modules, ...tests];
    const outcome = await this.#node(['node_modules/vitest/vitest.mjs', ...parameters], timeoutMs);
    if (existsSync(results)) this.#order.learn(changed, resultsIn(readFileSync(results, 'utf8')));
    return outcome;
  }

  remove(): void {
    this.#end();
    rmSync(this.#path, { recursive: true, force: true });
  }

  /** In a process group of its own, which ends as a whole: tests start services. */
  #node(parameters: readonly string[], timeoutMs: number): Promise<Outcome> {
    const env = { ...process.env, RELATA_SEED: SEED };
    const child = spawn(process.execPath, parameters, { cwd: this.#path, detached: true, stdio: 'ignore', env });
    this.#running = child;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#end();
        resolve('hung');
      }, timeoutMs);
      child.once('exit', (code) => {
        clearTimeout(timer);
        this.#end();
        resolve(code === 0 ? 'passed' : 'failed');
      });
    });
  }

  #end(): void {
    const { pid } = this.#running ?? {};
    this.#running = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // nothing of it is left
    }
  }
}

function resultsIn(json: string): readonly FileResult[] {
  return (JSON.parse(json) as { readonly testResults: readonly FileResult[] }).testResults;
}
