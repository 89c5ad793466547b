import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until a file is on disk; of a folder, the names in it: a new file can be lost though its content is flushed. */
export function flushToDisk(path: string): void {
  // Windows has no such call for folders, and asks for the right to write for files.
  if (process.platform === 'win32') return;
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
