import { readFileSync } from 'node:fs';

/** Memory of a process that is its own and no file's, in MiB: the map of the data is not in it (proc(5)). */
export function ownMegabytes(pid: number): number {
  const found = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1024;
}
