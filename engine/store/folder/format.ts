import { EngineError } from '../../errors.ts';
import { SHARED } from '../change-log.ts';
import type { Tables } from '../environment.ts';
import { pack, readRevision, unpack } from '../layout.ts';
import { LOG_OLDEST, writeMark } from '../log/log-marks.ts';

const FORMAT = Buffer.from('format');
/**
 * In version 1 records are msgpack; they are read as they are until they are written again. Up to version 2 the log
 * lost the oldest commits of all stores at once. Version 3 records for each store which commits are gone. In version 4
 * records may be listed, and in version 5 their ids counted: an earlier program would change them and leave the rest as it is.
 */
export const FORMAT_VERSION = 5;
const MARKED_SINCE = 3;
const OLDEST_VERSION = 1;

/** `undefined` where nothing was ever written. @throws EngineError `corrupt` where this version cannot read the data */
export function readFormat({ meta }: Tables): number | undefined {
  const stored = meta.getBinaryFast(FORMAT);
  const format = stored === undefined ? undefined : unpack<number>(stored);
  if (format === undefined || (format >= OLDEST_VERSION && format <= FORMAT_VERSION)) return format;
  throw new EngineError(
    'corrupt',
    `the data has format ${format}, but this version reads ${OLDEST_VERSION} to ${FORMAT_VERSION}`,
  );
}

/** Upgrades data of an earlier format. Writes nothing if the format is current. */
export function upgradeFormat(tables: Tables, format: number | undefined): void {
  if (format === FORMAT_VERSION) return;
  tables.root.transactionSync(() => {
    const oldest = (format ?? 0) < MARKED_SINCE ? tables.meta.getBinaryFast(LOG_OLDEST) : undefined;
    if (oldest !== undefined) writeMark(tables, SHARED, readRevision(oldest) - 1);
    tables.meta.putSync(FORMAT, pack(FORMAT_VERSION));
  });
}
