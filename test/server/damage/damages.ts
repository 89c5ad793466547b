import { closeSync, fstatSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { PAGE_BYTES } from './zero-pages.ts';

export interface Damage {
  readonly name: string;
  /** Does it to a data file. */
  readonly to: (file: string) => void;
  /** What is said of the file. */
  readonly expect: RegExp;
}

const AT = { version: 28, pageSize: 48 };

/** What `serve` must refuse before it maps the file, and `verify` too. */
export const damages: readonly Damage[] = [
  { name: 'gone', to: (file) => rmSync(file), expect: /data\.mdb is missing, although the folder was in use|ENOENT/ },
  { name: 'empty', to: (file) => truncateSync(file), expect: /data\.mdb is empty/ },
  {
    name: 'cut to a half',
    to: (file) => truncateSync(file, sizeOf(file) / 2),
    // of a small file, the half that is left may be long enough to be looked into
    expect: /data\.mdb is (cut short: it has \d+ of \d+ pages|damaged: page \d+)/,
  },
  {
    name: 'cut to one page',
    to: (file) => truncateSync(file, PAGE_BYTES),
    expect: /is cut short: it has no second page/,
  },
  {
    name: 'without its first page',
    to: (file) => put(file, Buffer.alloc(PAGE_BYTES), 0),
    expect: /is not a data file, or its first page is damaged/,
  },
  {
    name: 'without its second page',
    to: (file) => put(file, Buffer.alloc(PAGE_BYTES), PAGE_BYTES),
    expect: /is damaged: its second page is not valid/,
  },
  {
    name: 'zero from its third page on',
    to: (file) => put(file, Buffer.alloc(sizeOf(file) - 2 * PAGE_BYTES), 2 * PAGE_BYTES),
    expect: /is damaged: page \d+, where its tables begin/,
  },
  {
    name: 'of another program',
    to: (file) => writeFileSync(file, Buffer.alloc(64 * PAGE_BYTES, 'SQLite format 3\0')),
    expect: /is not a data file/,
  },
  {
    name: "of another version of LMDB's",
    to: (file) => put(file, Buffer.of(1), AT.version),
    expect: /has LMDB format 1, but this version reads 2/,
  },
  {
    name: 'with pages of an impossible size',
    to: (file) => put(file, Buffer.of(1), AT.pageSize),
    expect: /is damaged: its page size of 4097 bytes is not valid/,
  },
];

export function put(file: string, bytes: Buffer, position: number): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, undefined, position);
  closeSync(handle);
}

export function sizeOf(file: string): number {
  const handle = openSync(file, 'r');
  const { size } = fstatSync(handle);
  closeSync(handle);
  return size;
}
