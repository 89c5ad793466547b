import { ConfigError } from '../../platform/index.ts';

/** Files and sockets of the process: how many are open before the first connection, and how many may be. */
export interface Files {
  readonly open: number;
  readonly max: number;
}

/** Fewer would serve nobody. */
const CONNECTIONS_MIN = 16;
const RESERVE = { min: 64, max: 4096, share: 10 };

/** What stays free for the store, logs and outbound connections. */
function reserveOf(filesMax: number): number {
  return Math.max(RESERVE.min, Math.min(RESERVE.max, Math.ceil(filesMax / RESERVE.share)));
}

/**
 * Most connections; 0 means no limit.
 * @param wanted the setting; 0 means as many as the limit of open files allows
 * @param files `undefined` if the system does not tell
 * @throws ConfigError where the limit of open files is too low
 */
export function connectionsMax(wanted: number, files: Files | undefined): number {
  if (files === undefined) return wanted;
  const taken = files.open + reserveOf(files.max);
  const needed = taken + Math.max(CONNECTIONS_MIN, wanted);
  if (needed > files.max) {
    throw new ConfigError([
      `RELATA_LIMIT_CONNECTIONS: ${Math.max(CONNECTIONS_MIN, wanted)} connections need ${needed} open files, and ` +
        `the limit is ${files.max}: raise the limit (ulimit -n) or allow fewer connections`,
    ]);
  }
  return wanted === 0 ? files.max - taken : wanted;
}
