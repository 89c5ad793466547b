import { chmodSync, statSync } from 'node:fs';

const OTHERS = 0o077;

/** Takes from a file or folder what its group and all others may do with it. Where it is not there, nothing is done. */
export function keepPrivate(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode & 0o777 & ~OTHERS);
  } catch (error) {
    // who does not own it, or finds it on a file system of another kind, has to leave it as it is
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'EROFS' && code !== 'ENOTSUP') throw error;
  }
}
