import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyCheckOf } from '../../kernel/organizations/index.ts';
import {
  createSealer,
  keyFiles,
  openWithPassphrase,
  PassphraseError,
  readSecret,
  sealWithPassphrase,
} from '../../platform/index.ts';
import { CliError } from '../cli-error.ts';
import { enginePath } from '../data-folder.ts';

/** In a backup's folder, where the master key was asked for. */
export const sealedKeyFile = 'master-key.sealed';

/** Where a master key may be: the settings, which outrank the data folder's file. */
export interface KeySources {
  readonly dataFolder: string;
  /** `RELATA_MASTER_KEY`. */
  readonly given: string | null;
}

export function masterKeyOf({ dataFolder, given }: KeySources): string | undefined {
  return given ?? readSecret(join(dataFolder, keyFiles.master));
}

/** The data folder's master key as a text that a passphrase opens. @throws CliError */
export async function sealedMasterKey(sources: KeySources, ask: () => Promise<string>): Promise<string> {
  const key = masterKeyOf(sources);
  if (key === undefined) throw new CliError(`there is no master key to seal: ${sourcesText(sources)}`);
  const check = await keyCheckOf(enginePath(sources.dataFolder));
  if (check !== undefined && check !== createSealer(key).keyCheck) {
    throw new CliError(`this is not the master key of the data: ${sourcesText(sources)}`);
  }
  return sealWithPassphrase(key, await ask());
}

/** What a restore does about the key. */
export type KeyPlan =
  /** The right key is in its place already, or none is needed. */
  | { readonly kind: 'none' }
  /** The key that was sealed in the backup is to be put into the data folder. */
  | { readonly kind: 'write'; readonly key: string }
  /** The data comes back without it. */
  | { readonly kind: 'missing' };

/**
 * Finds the master key that a backup was made with, before anything is written.
 * @throws CliError where there is none, unless the caller goes on without
 */
export async function keyPlan(
  backup: string,
  sources: KeySources,
  { withoutKey, ask }: { readonly withoutKey: boolean; readonly ask: () => Promise<string> },
): Promise<KeyPlan> {
  const check = await keyCheckOf(backup);
  if (check === undefined) return { kind: 'none' };
  const isRight = (key: string): boolean => createSealer(key).keyCheck === check;
  const key = masterKeyOf(sources);
  if (key !== undefined && isRight(key)) return { kind: 'none' };
  if (withoutKey) return { kind: 'missing' };
  const sealed = sealedIn(backup);
  if (sealed === undefined || (key !== undefined && sources.given !== null)) {
    const found = key === undefined ? 'there is none here' : 'the one here is another';
    throw new CliError(
      `this backup needs the master key that its data was made with, and ${found}: ${sourcesText(sources)}. ` +
        'Without this key, the service does not start with the data, because nobody can read its secrets. ' +
        'To restore the data anyway, use --without-key',
    );
  }
  const opened = open(join(backup, sealedKeyFile), sealed, await ask());
  if (!isRight(opened)) throw new CliError(`${join(backup, sealedKeyFile)} contains the master key of other data`);
  return { kind: 'write', key: opened };
}

function sealedIn(backup: string): string | undefined {
  try {
    return readFileSync(join(backup, sealedKeyFile), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function open(file: string, sealed: string, text: string): string {
  try {
    return openWithPassphrase(sealed, text);
  } catch (error) {
    if (error instanceof PassphraseError) throw new CliError(`${file} cannot be unlocked: ${error.message}`);
    throw error;
  }
}

function sourcesText({ dataFolder, given }: KeySources): string {
  const file = join(dataFolder, keyFiles.master);
  return given === null ? `looked for in RELATA_MASTER_KEY and in ${file}` : 'RELATA_MASTER_KEY was taken';
}
