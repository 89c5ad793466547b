/** Keys that were generated, below the data folder. */
export const keyFiles = { platform: 'platform-key', master: 'master-key' } as const;
