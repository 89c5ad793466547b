import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder that only its owner can read, and those above it. One after the other: with `recursive`, Node.js tries
 * for ever where the system says that there can be no such folder (below `/proc`).
 * @throws the error of the system
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return requireFolder(path, error);
    const above = dirname(path);
    if (statSync(above, { throwIfNoEntry: false }) !== undefined) throw error;
    makeFolder(above);
    makeFolder(path);
  }
}

/** Some systems refuse to make what is there (a root, a mount) with an error of their own. */
function requireFolder(path: string, error: unknown): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
}
