import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder, absolute. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

export interface SourceFile {
  /** From the root of the tree, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const neverRead = new Set(['node_modules', 'dist', 'data', 'coverage', '.git', 'results']);

/** Every file below the given folders of a tree whose name matches, without what is installed, built or measured. */
export function readTree(root: string, folders: readonly string[], name: RegExp): SourceFile[] {
  const files: SourceFile[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!neverRead.has(entry.name)) visit(path);
      } else if (entry.isFile() && name.test(entry.name)) {
        files.push({ path: relative(root, path).split(sep).join('/'), text: readFileSync(path, 'utf8') });
      }
    }
  };
  for (const folder of folders) visit(join(root, folder));
  return files.sort((one, other) => (one.path < other.path ? -1 : 1));
}
