import { existsSync, readFileSync } from 'node:fs';

const OWN = `/proc/self/task/${process.pid}/schedstat`;
const isShown = existsSync(OWN);

/** Microseconds of processor that the main thread has used; of the whole process where the system does not tell of threads. */
export function mainThreadMicros(): number {
  if (isShown) return Number(readFileSync(OWN, 'utf8').split(' ', 1)[0]) / 1000;
  const { user, system } = process.cpuUsage();
  return user + system;
}
