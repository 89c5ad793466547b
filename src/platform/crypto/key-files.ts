import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Keys that were generated, below the data folder. */
export const keyFiles = { platform: 'platform-key', master: 'master-key' } as const;

/** Keys are made after the first store, so they show that there was one. */
export function hasKeyFiles(dataFolder: string): boolean {
  return Object.values(keyFiles).some((name) => existsSync(join(dataFolder, name)));
}
