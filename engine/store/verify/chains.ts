import { type ChainRow, DIGEST_BYTES, readChainHead, readCheckpoint, rowsAfter } from '../chain/chain-layout.ts';
import { recordKey } from '../layout.ts';
import { type Inspection, isInspected } from './inspection.ts';

/**
 * Every chain has all entries from its checkpoint to its head, and each has its record; the collection of a chain has
 * no other records. Whether links are right only the holder of the key can tell: see `proveChains`.
 */
export function verifyChains(inspection: Inspection): void {
  const { tables } = inspection;
  const chains = new Set<string>();
  for (const key of tables.chains.getKeys({})) {
    const store = key.readUInt32BE(0);
    const name = `${store}/${key.toString('utf8', 4, key.indexOf(0, 4))}`;
    if (chains.has(name)) continue;
    chains.add(name);
    if (isInspected(inspection, store, 'a chain')) verifyChain(inspection, store, name.slice(name.indexOf('/') + 1));
  }
}

function verifyChain({ tables, findings }: Inspection, store: number, chain: string): void {
  const where = `the chain ${chain} of store ${store}`;
  const head = readChainHead(tables, store, chain);
  const checkpoint = readCheckpoint(tables, store, chain);
  let last: Pick<ChainRow, 'sequence' | 'link'> | undefined = checkpoint;
  let rows = 0;
  for (const row of rowsAfter(tables, store, chain, 0)) {
    rows++;
    const expected = (last?.sequence ?? 0) + 1;
    if (row.sequence !== expected) findings.add(`${where} has ${row.sequence} where ${expected} belongs`);
    if (row.link.length !== DIGEST_BYTES) findings.add(`${where} has no link at ${row.sequence}`);
    if (!tables.records.doesExist(recordKey(store, chain, row.entry))) {
      findings.add(`${where} has no record for its entry ${row.sequence}`);
    }
    last = row;
  }
  if (head === undefined || last === undefined) findings.add(`${where} has no head`);
  else if (head.sequence !== last.sequence || !head.link.equals(last.link)) {
    findings.add(`${where} ends at ${last.sequence}, and its head is ${head.sequence}`);
  }
  findings.same(`records of ${where}`, countRecords(tables.records, store, chain), rows);
}

function countRecords(records: Inspection['tables']['records'], store: number, chain: string): number {
  const start = recordKey(store, chain, '');
  const end = Buffer.concat([start.subarray(0, start.length - 1), Buffer.of(1)]);
  return records.getKeysCount({ start, end });
}
