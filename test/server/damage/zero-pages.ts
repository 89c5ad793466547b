import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';

/** A page of LMDB on the machines that the tests run on, and how many of them say where the others are. */
export const PAGE_BYTES = 4096;
const META_PAGES = 2;

/** Zeroes all pages of a data file but the two that say where the others are. */
export function zeroPages(file: string): void {
  const handle = openSync(file, 'r+');
  const kept = META_PAGES * PAGE_BYTES;
  writeSync(handle, Buffer.alloc(fstatSync(handle).size - kept), 0, undefined, kept);
  closeSync(handle);
}
