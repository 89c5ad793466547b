import { readdirSync, readFileSync, statSync } from 'node:fs';

const folder = process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd';

/** How many files and sockets this process has open; `undefined` where the system does not tell. */
export function openFiles(): number | undefined {
  // from 6.2 on, Linux tells by the size of the folder, which takes a microsecond
  const size = process.platform === 'linux' ? (statSync(folder, { throwIfNoEntry: false })?.size ?? 0) : 0;
  if (size > 0) return size;
  try {
    return readdirSync(folder).length;
  } catch {
    return undefined;
  }
}

/** How many it may have open; `undefined` where the system does not tell, or sets no limit. */
export function openFilesMax(): number | undefined {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
    return limit === null ? undefined : Number(limit[1]);
  } catch {
    return undefined;
  }
}
