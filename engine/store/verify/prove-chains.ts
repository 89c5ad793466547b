import { join } from 'node:path';
import { EngineError } from '../../errors.ts';
import { allHeads } from '../catalog.ts';
import { openTables } from '../environment.ts';
import { requireDataFile } from '../folder/data-file.ts';
import { openBetweenWrites } from '../lock/opening-lock.ts';
import { type ChainQuestion, type ChainReport, proveChain } from './chain-proof.ts';

/**
 * Proves one chain of every store, or of those named, that no entry was changed, removed or inserted since it was
 * written. What was taken from the end is only found with a noted head. One snapshot, read-only: a writer may be at
 * work. It blocks its thread. Throws `corrupt` where the folder holds no readable data, `unknown_store`.
 */
export async function proveChains(
  path: string,
  question: ChainQuestion,
  isWanted: (store: string) => boolean = () => true,
): Promise<ChainReport[]> {
  requireDataFile(join(path, 'data.mdb'));
  const tables = await openBetweenWrites(path, () => openTables({ path, readOnly: true }));
  try {
    // opened for reading alone, a table that was never made is not there
    if ((tables.chains as unknown) === undefined) throw new EngineError('corrupt', `${path} has no chains`);
    return allHeads(tables)
      .filter(({ deletedAt, name }) => deletedAt === undefined && isWanted(name))
      .map(({ number, name }) => proveChain(tables, number, name, question));
  } finally {
    await tables.root.close();
  }
}
