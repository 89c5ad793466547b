import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { EngineError } from '../../errors.ts';

/** Of the two meta pages, as lmdb-js has them (mdb.c: `MDB_page`, `MDB_meta`). Words are in the machine's order. */
const META_BYTES = 160;
const AT = { magic: 24, pageSize: 48, lastPage: 144, transaction: 152 } as const;
const MAGIC = 0xbeefc0de;
/** A last transaction may have freed the pages that it took at the end, and these are never written. */
const UNWRITTEN_MAX = 16;

/**
 * Refuses a data file that is cut short, as an interrupted copy leaves it: LMDB maps the whole of it, and the process
 * that touches a page past the end is killed by the system. Throws `corrupt`.
 */
export function requireFileLength(file: string): void {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const first = readMeta(handle, 0);
    if (first === undefined) throw new EngineError('corrupt', `${file} is not a data file`);
    const second = readMeta(handle, first.pageSize);
    if (second === undefined) throw new EngineError('corrupt', `${file} is cut short: it has one page`);
    const { lastPage } = second.transaction > first.transaction ? second : first;
    const pages = Math.floor(size / first.pageSize);
    if (pages + UNWRITTEN_MAX > lastPage) return;
    throw new EngineError('corrupt', `${file} is cut short: it has ${pages} pages of ${lastPage + 1}`);
  } finally {
    closeSync(handle);
  }
}

function readMeta(
  handle: number,
  position: number,
): { readonly pageSize: number; readonly lastPage: number; readonly transaction: bigint } | undefined {
  const bytes = new DataView(new ArrayBuffer(META_BYTES));
  if (readSync(handle, bytes, 0, META_BYTES, position) < META_BYTES) return undefined;
  const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
  if (bytes.getUint32(AT.magic, isLittle) !== MAGIC) return undefined;
  return {
    pageSize: bytes.getUint32(AT.pageSize, isLittle),
    lastPage: Number(bytes.getBigUint64(AT.lastPage, isLittle)),
    transaction: bytes.getBigUint64(AT.transaction, isLittle),
  };
}
