import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Keys that were generated, below the data folder. */
export const keyFiles = { platform: 'platform-key', master: 'master-key' } as const;

/** File of a data folder: the last time at which the clock was known to be right. */
export const lastSeenFile = 'last-seen';

/** Keys, and the note of the time, are made after the first store. They show that there was one. */
export function isUsedFolder(dataFolder: string): boolean {
  return [...Object.values(keyFiles), lastSeenFile].some((name) => existsSync(join(dataFolder, name)));
}
