import { chmodSync, statSync } from 'node:fs';

const OTHERS = 0o077;

/** Removes the rights of the group and of all others on a file or folder, if it exists. */
export function keepPrivate(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode & 0o777 & ~OTHERS);
  } catch (error) {
    // not possible for other users than the owner, nor on file systems without modes
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'EROFS' && code !== 'ENOTSUP') throw error;
  }
}
