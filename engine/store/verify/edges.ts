import type { Qualifier } from '../change-log.ts';
import { type EdgeKey, edgeKey, QUALIFIED, scanned } from '../edge-key.ts';
import { expiryKey, unpack } from '../layout.ts';
import { readShapes } from '../shapes.ts';
import { type Inspection, isInspected } from './inspection.ts';

const FIRST: EdgeKey = { store: 0, node: 0, kinds: 0, other: 0, size: 4 };

/** What the forward index says about one store; everything else is compared with it. */
class Counted {
  tuples = 0;
  readonly shapes = new Map<string, number>();

  add(kinds: number, condition: string): void {
    const shape = `${kinds}/${condition}`;
    this.tuples++;
    this.shapes.set(shape, (this.shapes.get(shape) ?? 0) + 1);
  }
}

/** Both indexes, the counts and the expiry index agree. Answers how many tuples there are. */
export function verifyEdges(inspection: Inspection): number {
  const { findings, live } = inspection;
  const counted = new Map([...live.keys()].map((store) => [store, new Counted()]));
  const { total, expiring } = walkForward(inspection, counted);
  findings.same('tuples in the reverse index', countReverse(inspection), total);
  findings.same('expiry times', countExpiry(inspection), expiring);
  for (const head of live.values()) {
    const actual = counted.get(head.number) as Counted; // one was made for each live store
    findings.same(`store ${head.name}: tuples`, head.tuples, actual.tuples);
    verifyShapes(inspection, head.number, actual);
  }
  return total;
}

/** Every forward key stands reversed in the other index, and its parts exist. */
function walkForward(inspection: Inspection, counted: Map<number, Counted>): { total: number; expiring: number } {
  const { tables, findings, live } = inspection;
  const own = edgeKey();
  const reverse = edgeKey();
  let total = 0;
  let expiring = 0;
  for (const _ of tables.forward.getKeys({ start: FIRST })) {
    Object.assign(own, scanned, { size: 16 });
    if (!isInspected(inspection, own.store, 'a tuple')) continue;
    total++;
    reverse.store = own.store;
    reverse.node = own.other;
    reverse.kinds = ((own.kinds << 16) | (own.kinds >>> 16)) >>> 0;
    reverse.other = own.node;
    if (!tables.reverse.doesExist(reverse)) findings.add(`${edgeText(own)} is not in the reverse index`);
    const head = live.get(own.store);
    const bound = head?.nextNode ?? 0;
    if (own.node === 0 || own.node >= bound || own.other >= bound) findings.add(`${edgeText(own)} names no known node`);
    const kindBound = head?.nextKind ?? 0;
    if (own.kinds >>> 16 >= kindBound || (own.kinds & ~QUALIFIED & 0xffff) >= kindBound) {
      findings.add(`${edgeText(own)} has no known kinds`);
    }
    const qualifier = (own.kinds & QUALIFIED) === 0 ? undefined : readQualifier(inspection, own);
    if (qualifier?.expiresAt !== undefined) {
      expiring++;
      const due = expiryKey(qualifier.expiresAt, own);
      if (!tables.expiry.doesExist(due)) findings.add(`${edgeText(own)} expires, and is not in the expiry index`);
    }
    counted.get(own.store)?.add(own.kinds, qualifier?.condition ?? '');
  }
  return { total, expiring };
}

function readQualifier({ tables, findings }: Inspection, edge: EdgeKey): Qualifier | undefined {
  const twin = { ...edge, kinds: (edge.kinds & ~QUALIFIED) >>> 0 };
  if (tables.forward.doesExist(twin)) findings.add(`${edgeText(edge)} is stored with and without a condition`);
  const bytes = tables.forward.getBinary(edge);
  if (bytes !== undefined && bytes.length > 0) return unpack<Qualifier>(bytes);
  findings.add(`${edgeText(edge)} has no condition or expiry, though its key says so`);
  return undefined;
}

function countReverse(inspection: Inspection): number {
  let count = 0;
  for (const _ of inspection.tables.reverse.getKeys({ start: FIRST })) {
    if (isInspected(inspection, scanned.store, 'a reversed tuple')) count++;
  }
  return count;
}

/** An entry of a deleted store waits for the sweep. */
function countExpiry({ tables, live }: Inspection): number {
  let count = 0;
  for (const key of tables.expiry.getKeys({})) if (live.has(key.readUInt32BE(6))) count++;
  return count;
}

function verifyShapes({ tables, findings }: Inspection, store: number, actual: Counted): void {
  const stored = new Map(readShapes(tables, store).map((shape) => [`${shape.kinds}/${shape.condition}`, shape.count]));
  for (const shape of new Set([...stored.keys(), ...actual.shapes.keys()])) {
    findings.same(`store ${store}: tuples of shape ${shape}`, stored.get(shape) ?? 0, actual.shapes.get(shape) ?? 0);
  }
}

export function edgeText({ store, node, kinds, other }: EdgeKey): string {
  return `tuple ${node}#${kinds >>> 16}@${other}#${kinds & 0xffff} of store ${store}`;
}
