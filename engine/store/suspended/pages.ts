import type { Tables } from '../environment.ts';
import { u32Key } from '../layout.ts';

/**
 * The suspended subjects of a store as bitmaps, one bit a node id: `[store u32][page u32]` -> 256 bytes. A page without
 * a bit is not stored, so that a store without suspensions has no row, and one with very many few.
 */
const PAGE_BYTES = 256;
const PAGE_BITS = 11;

export type Page = Uint8Array;

export function pageOf(node: number): number {
  return node >>> PAGE_BITS;
}

export function emptyPage(): Page {
  return new Uint8Array(PAGE_BYTES);
}

export function hasBit(page: Page, node: number): boolean {
  return ((page[byteOf(node)] as number) & bitOf(node)) !== 0;
}

export function setBit(page: Page, node: number, isSet: boolean): void {
  const at = byteOf(node);
  const before = page[at] as number;
  page[at] = isSet ? before | bitOf(node) : before & ~bitOf(node);
}

export function isEmptyPage(page: Page): boolean {
  return page.every((byte) => byte === 0);
}

export function readPage(tables: Tables, store: number, page: number): Page | undefined {
  const bytes = tables.suspended.getBinary(u32Key(store, page));
  return bytes === undefined ? undefined : Uint8Array.from(bytes);
}

/** A page without a bit is removed. */
export function writePage(tables: Tables, store: number, page: number, bits: Page): void {
  const key = u32Key(store, page);
  if (isEmptyPage(bits)) tables.suspended.removeSync(key);
  else tables.suspended.putSync(key, Buffer.from(bits));
}

export function* readPages(tables: Tables, store: number): Generator<{ page: number; bits: Page }> {
  for (const { key, value } of tables.suspended.getRange({ start: u32Key(store), end: u32Key(store + 1) })) {
    yield { page: key.readUInt32BE(4), bits: Uint8Array.from(value) };
  }
}

/** The node ids whose bits a page has. */
export function nodesOf(page: number, bits: Page): number[] {
  const first = page * PAGE_BYTES * 8;
  const nodes: number[] = [];
  for (let i = 0; i < PAGE_BYTES * 8; i++) if (hasBit(bits, i)) nodes.push(first + i);
  return nodes;
}

function byteOf(node: number): number {
  return (node >>> 3) & (PAGE_BYTES - 1);
}

function bitOf(node: number): number {
  return 1 << (node & 7);
}
