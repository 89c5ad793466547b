import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Engine, EngineError } from '#engine';
import { commit } from '../kernel/commits/index.ts';
import { masterKeyCheckId, masterKeyRecords, platformStore } from '../kernel/organizations/index.ts';
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

/**
 * The keys that the settings give, or that the data folder keeps with mode 0600.
 * @param path of the stores
 * @throws EngineError `locked` where the data was made with a master key that is not here: a new one would not open it
 */
export async function loadSecrets(config: Config, path: string): Promise<Secrets> {
  await requireKeyKept(config, path);
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

async function requireKeyKept({ dataDir, masterKey }: Config, path: string): Promise<void> {
  const file = join(dataDir, keyFiles.master);
  if (masterKey !== null || existsSync(file) || !existsSync(join(path, 'data.mdb'))) return;
  if (!(await isSealed(path))) return;
  throw new EngineError(
    'locked',
    `the master key of this data is missing, and no new one is made because it would not open the data: put it back as ${file}, or set RELATA_MASTER_KEY; a backup that was made with --with-key has it (relata restore)`,
  );
}

/** Whether a master key was ever used on the data. Before the service's own writer opens it. */
async function isSealed(path: string): Promise<boolean> {
  const engine = await Engine.open({ path });
  try {
    if (!engine.hasStore(platformStore)) return false;
    return masterKeyRecords.get(engine.store(platformStore), masterKeyCheckId) !== undefined;
  } finally {
    await engine.close();
  }
}

/** A node whose master key does not open the store must not start: it would write what nobody can read. */
export async function requireMasterKey(engine: Engine, masterKey: string): Promise<Sealer> {
  const sealer = createSealer(masterKey);
  const { keyCheck } = sealer;
  const isOpen = await commit(engine, platformStore, (changes) => {
    const known = changes.get(masterKeyRecords, masterKeyCheckId);
    if (known === undefined) changes.put(masterKeyRecords, masterKeyCheckId, { keyCheck });
    return known === undefined || known.document.keyCheck === keyCheck;
  });
  if (!isOpen) {
    throw new EngineError(
      'locked',
      'the master key does not open this store: set RELATA_MASTER_KEY to the one it was made with',
    );
  }
  return sealer;
}
