import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const BUNDLE = join('dist', 'bundle');

export interface CopyOptions {
  /** What is changed in the built files; each must stand in one of them. */
  readonly changes?: readonly (readonly [from: RegExp, to: string])[];
  /** An entry of node_modules that is left out. */
  readonly without?: string;
}

/** The built program in a folder of its own, with changes. */
export class CopiedProgram {
  readonly #folder = mkdtempSync(join(tmpdir(), 'relata-copied-'));
  readonly main = join(this.#folder, BUNDLE, 'main.js');

  /** @throws Error where the built files are not those that the changes were made for */
  constructor({ changes = [], without = '' }: CopyOptions) {
    this.#link('.', ['dist', 'node_modules']);
    this.#link('dist', ['bundle']);
    this.#link('node_modules', [without]);
    const bundle = join(this.#folder, BUNDLE);
    cpSync(join(root, BUNDLE), bundle, { recursive: true, filter: (path) => !path.endsWith('.map') });
    for (const [from, to] of changes) {
      const changed = readdirSync(bundle).filter((name) => changeFile(join(bundle, name), from, to));
      if (changed.length !== 1) throw new Error(`${from} stands in ${changed.length} files of the build`);
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #link(folder: string, but: readonly string[]): void {
    mkdirSync(join(this.#folder, folder), { recursive: true });
    for (const name of readdirSync(join(root, folder))) {
      if (!but.includes(name)) symlinkSync(join(root, folder, name), join(this.#folder, folder, name));
    }
  }
}

function changeFile(path: string, from: RegExp, to: string): boolean {
  const text = readFileSync(path, 'utf8');
  const changed = text.replace(from, to);
  if (changed === text) return false;
  writeFileSync(path, changed);
  return true;
}
