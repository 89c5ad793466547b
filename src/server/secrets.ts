import { join } from 'node:path';
import { z } from 'zod';
import { type Engine, EngineError } from '#engine';
import { platformStore } from '../kernel/organizations/index.ts';
import { defineRecord } from '../kernel/records/index.ts';
import {
  type Config,
  createApiKey,
  createSealer,
  keyFiles,
  loadOrCreateSecret,
  randomText,
  type Sealer,
} from '../platform/index.ts';

export interface Secrets {
  readonly platformKey: string;
  readonly masterKey: string;
  /** Those that were made just now, to be printed this once: name and file. */
  readonly created: readonly { readonly name: string; readonly secret: string; readonly file: string }[];
}

const MASTER_KEY_LENGTH = 48;

/** The keys that the settings give, or that the data folder keeps with mode 0600. */
export function loadSecrets(config: Config): Secrets {
  const created: { name: string; secret: string; file: string }[] = [];
  const kept = (name: string, given: string | null, generate: () => string): string => {
    if (given !== null) return given;
    const file = join(config.dataDir, name);
    const { secret, created: isNew } = loadOrCreateSecret(file, generate);
    if (isNew) created.push({ name, secret, file });
    return secret;
  };
  return {
    platformKey: kept(keyFiles.platform, config.platformKey, () => createApiKey('platform')),
    masterKey: kept(keyFiles.master, config.masterKey, () => randomText(MASTER_KEY_LENGTH)),
    created,
  };
}

/** The one record, in the platform's store, tells whether a master key is the one that the store was made with. */
export const masterKeyRecords = defineRecord({
  collection: 'master_key',
  holds: 'whether a master key is the one that these data were made with; one record',
  schema: z.strictObject({ keyCheck: z.string() }),
});

const checkId = 'check';

/** A node whose master key does not open the store must not start: it would write what nobody can read. */
export async function requireMasterKey(engine: Engine, masterKey: string): Promise<Sealer> {
  const sealer = createSealer(masterKey);
  const store = engine.store(platformStore);
  const known = masterKeyRecords.get(store, checkId)?.document.keyCheck;
  if (known === undefined) {
    await engine.submit(engine.command([masterKeyRecords.put(store, checkId, { keyCheck: sealer.keyCheck })]));
  } else if (known !== sealer.keyCheck) {
    throw new EngineError(
      'locked',
      'the master key does not open this store: set RELATA_MASTER_KEY to the one it was made with',
    );
  }
  return sealer;
}
