import type { StoreHead } from '../catalog.ts';
import { kindKey, nameKey, u32Key } from '../layout.ts';
import { type Inspection, isInspected } from './inspection.ts';

/**
 * Names and nodes are one to one, and every id below the next one is given out. Each node's name leads back to it and
 * there are as many names as nodes: so no name leads anywhere else.
 */
export function verifyNames(inspection: Inspection): void {
  const { tables, findings, live } = inspection;
  const named = new Map<number, number>();
  for (const key of tables.names.getKeys({})) {
    const store = key.readUInt32BE(0);
    if (isInspected(inspection, store, 'a name')) named.set(store, (named.get(store) ?? 0) + 1);
  }
  const numbered = new Map<number, number>();
  for (const { key, value } of tables.nodes.getRange({})) {
    const store = key.readUInt32BE(0);
    if (!isInspected(inspection, store, 'a node')) continue;
    const node = key.readUInt32BE(4);
    const count = (numbered.get(store) ?? 0) + 1;
    numbered.set(store, count);
    if (node !== count) findings.add(`store ${store}: node ${count} is missing before ${node}`);
    const name = value.toString('utf8');
    const back = tables.names.getBinaryFast(nameKey(store, name));
    if (back?.readUInt32BE(0) !== node) findings.add(`store ${store}: node ${node} is ${name}, which leads elsewhere`);
  }
  for (const head of live.values()) {
    findings.same(`store ${head.name}: nodes`, head.nextNode - 1, numbered.get(head.number) ?? 0);
    findings.same(`store ${head.name}: names`, head.nextNode - 1, named.get(head.number) ?? 0);
    if (named.get(head.number) !== numbered.get(head.number)) nameSharers(inspection, head);
    for (let kind = 1; kind < head.nextKind; kind++) {
      if (!tables.kinds.doesExist(kindKey(head.number, kind)))
        findings.add(`store ${head.name}: kind ${kind} is missing`);
    }
  }
}

/** Finds names that share an id: two writers at once gave it out twice, so what one name has, the other has too. */
function nameSharers({ tables, findings }: Inspection, { number, name: store }: StoreHead): void {
  for (const { key, value } of tables.names.getRange({ start: u32Key(number), end: u32Key(number + 1) })) {
    const name = key.toString('utf8', 4);
    const node = value.readUInt32BE(0);
    const holder = tables.nodes.getBinary(u32Key(number, node))?.toString('utf8');
    if (holder !== undefined && holder !== name) {
      findings.add(`store ${store}: ${name} and ${holder} share node ${node}`);
      findings.hasDuplicateIds = true;
    }
  }
}
