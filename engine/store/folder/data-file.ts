import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { EngineError } from '../../errors.ts';

/** Layout of pages and meta pages in lmdb-js (mdb.c: `MDB_page`, `MDB_meta`). Words are in the machine's byte order. */
const META_BYTES = 160;
const AT = { pageFlags: 18, magic: 24, version: 28, pageSize: 48, roots: [88, 136], lastPage: 144, transaction: 152 };
const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
const PAGE_SIZES = { min: 256, max: 65_536 };
const FLAGS = { branch: 1, leaf: 2, meta: 8 };
/** The root of an empty table. */
const NO_PAGE = 0xffff_ffff_ffff_ffffn;
/** The last transaction may have freed pages that it took at the end of the file; these are never written. */
const UNWRITTEN_MAX = 16;
const ATTEMPTS = 20;

interface Meta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: bigint;
  /** Roots of the free list and of the list of tables. */
  readonly roots: readonly bigint[];
}

/**
 * Checks a data file by plain reads, before anything maps it: LMDB trusts the file, and the system kills a process that
 * touches a page past its end. It checks both meta pages, the length that they state, and the root pages. @throws
 * EngineError `corrupt`, with what to do
 */
export function requireDataFile(file: string): void {
  const handle = openSync(file, 'r');
  try {
    const problem = problemOf(handle);
    if (problem !== undefined) throw damaged(file, problem);
  } finally {
    closeSync(handle);
  }
}

/** The number of the last transaction in a data file. @throws EngineError `corrupt` */
export function lastTransaction(file: string): bigint {
  const handle = openSync(file, 'r');
  try {
    const latest = readLatest(handle);
    if (typeof latest === 'string') throw damaged(file, latest);
    return latest.transaction;
  } finally {
    closeSync(handle);
  }
}

export function damaged(file: string, problem: string): EngineError {
  const todo = 'restore a backup with "relata restore", or move the data folder away to start without the data';
  return new EngineError('corrupt', `${file} ${problem}: ${todo}`, { folder: dirname(file) });
}

function problemOf(handle: number): string | undefined {
  const { size } = fstatSync(handle);
  if (size === 0) return 'is empty';
  const latest = readLatest(handle);
  if (typeof latest === 'string') return latest;
  const pages = Math.floor(size / latest.pageSize);
  if (pages + UNWRITTEN_MAX <= latest.lastPage) return `is cut short: it has ${pages} of ${latest.lastPage + 1} pages`;
  return problemOfRoots(handle, latest, ATTEMPTS);
}

/** A running writer may reuse a page after its number was read as a root, so the check is tried again. */
function problemOfRoots(handle: number, meta: Meta, attempts: number): string | undefined {
  const lost = meta.roots.find((root) => root !== NO_PAGE && !isTreePage(handle, root, meta));
  if (lost === undefined) return undefined;
  const latest = readLatest(handle);
  if (typeof latest === 'string') return latest;
  if (latest.transaction !== meta.transaction && attempts > 0) return problemOfRoots(handle, latest, attempts - 1);
  return `is damaged: page ${lost}, where its tables begin, has the wrong content`;
}

function readLatest(handle: number): Meta | string {
  const first = readMeta(handle, 0);
  if (typeof first === 'string') return first;
  const second = readMeta(handle, first.pageSize);
  if (typeof second === 'string') return second;
  if (second.pageSize !== first.pageSize) return 'is damaged: its first two pages contradict each other';
  return second.transaction > first.transaction ? second : first;
}

/** A string says why it is not valid. */
function readMeta(handle: number, position: number): Meta | string {
  const bytes = new DataView(new ArrayBuffer(META_BYTES));
  const page = position === 0 ? 'first' : 'second';
  if (readSync(handle, bytes, 0, META_BYTES, position) < META_BYTES) return `is cut short: it has no ${page} page`;
  const word = (at: number): bigint => bytes.getBigUint64(at, isLittle);
  if ((bytes.getUint16(AT.pageFlags, isLittle) & FLAGS.meta) === 0 || bytes.getUint32(AT.magic, isLittle) !== MAGIC) {
    return position === 0
      ? 'is not a data file, or its first page is damaged'
      : 'is damaged: its second page is not valid';
  }
  const version = bytes.getUint32(AT.version, isLittle) & 0xffff;
  if (version !== DATA_VERSION) return `has LMDB format ${version}, but this version reads ${DATA_VERSION}`;
  const pageSize = bytes.getUint32(AT.pageSize, isLittle);
  const isSize = pageSize >= PAGE_SIZES.min && pageSize <= PAGE_SIZES.max && (pageSize & (pageSize - 1)) === 0;
  if (!isSize) return `is damaged: its page size of ${pageSize} bytes is not valid`;
  return {
    pageSize,
    lastPage: Number(word(AT.lastPage)),
    transaction: word(AT.transaction),
    roots: AT.roots.map(word),
  };
}

/** Each page begins with its own number. */
function isTreePage(handle: number, number: bigint, { pageSize, lastPage }: Meta): boolean {
  if (number > BigInt(lastPage)) return false;
  const bytes = new DataView(new ArrayBuffer(AT.magic));
  const count = readSync(handle, bytes, 0, bytes.byteLength, Number(number) * pageSize);
  const flags = bytes.getUint16(AT.pageFlags, isLittle);
  return (
    count === bytes.byteLength &&
    bytes.getBigUint64(0, isLittle) === number &&
    (flags & (FLAGS.branch | FLAGS.leaf)) !== 0
  );
}

const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
