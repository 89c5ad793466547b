import { join } from 'node:path';
import { prepareFolder } from '#engine';
import { isUsedFolder } from '../platform/index.ts';
import { DiskReserve } from './disk-reserve.ts';
import { storeFolder } from './threads/thread-data.ts';

export interface PreparedData {
  /** Of the store. */
  readonly path: string;
  /** Released for as long as the start lasts. */
  readonly reserve: DiskReserve;
}

/** Looks at the data folder before anything is opened in it. @throws EngineError `corrupt`, with what to do */
export function prepareData(dataDir: string): PreparedData {
  const reserve = new DiskReserve(join(dataDir, 'disk-reserve'));
  reserve.release();
  const path = join(dataDir, storeFolder);
  prepareFolder(path, { isUsed: isUsedFolder(dataDir) });
  return { path, reserve };
}
