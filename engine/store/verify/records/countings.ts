import { BLOCK_SIZE } from '../../../command/listing-definition.ts';
import { blockKey, blocksOfStore, idsOfIndex, keyAndId, tailOf } from '../../counting/counting-keys.ts';
import { type Counting, countedUpTo, readCountings } from '../../counting/countings.ts';
import { pastPrefix } from '../../listing/listings.ts';
import { beginsBlock } from '../../listing/order-blocks.ts';
import type { Inspection } from '../inspection.ts';

/** Every block that counts ids begins where one is to begin, and counts the ids that there are. */
export function verifyCountings(inspection: Inspection): void {
  for (const counting of readCountings(inspection.tables)) {
    for (const store of inspection.live.keys()) verifyStore(inspection, counting, store);
  }
}

function verifyStore({ tables, findings }: Inspection, counting: Counting, store: number): void {
  const name = `counts of ${counting.definition.collection} in store ${store}`;
  const made = madeBlocks({ tables }, counting, store);
  let stored = 0;
  for (const { key, value } of tables.listings.getRange(blocksOfStore(counting.number, store))) {
    stored++;
    findings.same(`${name}, ids in a block`, value.readUInt32BE(0), made.get(key.toString('latin1')) ?? 0);
  }
  findings.same(`${name}, blocks`, stored, made.size);
}

/** By their keys, one character for each byte: how many ids each block has to have. */
function madeBlocks({ tables }: Pick<Inspection, 'tables'>, counting: Counting, store: number): Map<string, number> {
  const { collection, indexes, blockSize = BLOCK_SIZE } = counting.definition;
  const made = new Map<string, number>();
  const end = countedUpTo(counting, store);
  for (const index of indexes) {
    const { table, prefix } = idsOfIndex(tables, { store, collection, index });
    let known: string | undefined;
    let at = '';
    let count = 0;
    let hasBlocks = false;
    for (const bytes of table.getKeys({ start: prefix, end: pastPrefix(prefix) })) {
      const { key, id } = keyAndId(index, bytes.toString('utf8', prefix.length, bytes.length));
      if (end === null || (end !== undefined && tailOf(index, key, id) > end)) break;
      const of = { store, collection, index, key };
      if (key !== known) {
        known = key;
        at = blockKey(counting.number, of, '').toString('latin1');
        count = 0;
        hasBlocks = false;
      }
      if (beginsBlock(id, blockSize)) {
        made.set(at, count);
        hasBlocks = true;
        at = blockKey(counting.number, of, id).toString('latin1');
        count = 0;
      }
      count++;
      if (hasBlocks) made.set(at, count);
    }
  }
  return made;
}
