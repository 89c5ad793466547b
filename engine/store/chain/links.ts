import { createHash, createHmac } from 'node:crypto';
import { revisionKey } from '../layout.ts';
import type { ChainPosition } from './chain-layout.ts';

/** Where a chain begins: it is bound to its store, so that no other store's chain can take its place. */
export function chainStart(store: string, chain: string): ChainPosition {
  return { sequence: 0, link: createHash('sha256').update(`${store}\0${chain}`).digest() };
}

/** HMAC-SHA-256 over the link before, the sequence and the entry's digest. */
export function nextLink(key: Uint8Array, before: Uint8Array, sequence: number, digest: Uint8Array): Buffer {
  return createHmac('sha256', key).update(before).update(revisionKey(sequence)).update(digest).digest();
}

/** Says that the holder of the key has cut this chain at this position. */
export function cutProof(key: Uint8Array, start: ChainPosition, { sequence, link }: ChainPosition): Buffer {
  return createHmac('sha256', key).update('cut').update(start.link).update(revisionKey(sequence)).update(link).digest();
}
