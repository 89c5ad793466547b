import {
  DELETED,
  decodeCommit,
  type EdgeChange,
  isListed,
  isSlim,
  type Qualifier,
  type SuspensionChange,
  unlistedStores,
} from '../change-log.ts';
import { edgeKey, QUALIFIED } from '../edge-key.ts';
import { pack, readRevision, unpack } from '../layout.ts';
import { denseFrom } from '../log/log-marks.ts';
import { hasBit, pageOf, readPage } from '../suspended/pages.ts';
import { edgeText } from './edges.ts';
import type { Inspection } from './inspection.ts';

/** How many tuple changes are compared with the index, newest first. Bounds memory at about 100 bytes each. */
const COMPARED_MAX = 1_000_000;

/**
 * The log has no gap where it must have none, ends at the revision, and agrees with the stored tuples and suspended
 * subjects. Answers its commits without the slim entries.
 */
export function verifyCommits(inspection: Inspection): number {
  const { tables, findings } = inspection;
  const commits = verifyContiguous(inspection);
  const seen = new Set<string>();
  const judged = new Set<string>();
  /** Stores that changed later than this in ways that the log does not list. */
  const unlisted = new Set<number>();
  for (const { key, value } of tables.log.getRange({ reverse: true })) {
    // what a commit without a list changed may be anything before it
    if (seen.size >= COMPARED_MAX || !isListed(value)) break;
    for (const store of unlistedStores(value)) unlisted.add(store);
    if (isSlim(value)) continue;
    const at = readRevision(key);
    const { changes, notes } = decodeCommit(value);
    if (typeof notes.id !== 'string') findings.add(`commit ${at} has no id`);
    for (const change of (notes.suspensions ?? []).toReversed()) {
      const name = `${change.store}/${change.node}`;
      if (!judged.has(name) && !unlisted.has(change.store)) compareSuspension(inspection, at, change);
      judged.add(name);
    }
    for (let index = changes.length - 1; index >= 0; index--) {
      const change = changes[index] as EdgeChange;
      const name = `${change.store}/${change.object}/${change.kinds & ~QUALIFIED}/${change.subject}`;
      if (unlisted.has(change.store) || seen.has(name)) continue;
      seen.add(name);
      compare(inspection, at, change, notes.qualifiers?.[index]);
    }
  }
  return commits;
}

/** Answers how many commits are kept. */
function verifyContiguous({ tables, findings, revision }: Inspection): number {
  const dense = denseFrom(tables);
  let next = dense;
  let bytes = 0;
  let commits = 0;
  for (const { key, value } of tables.log.getRange({})) {
    const found = readRevision(key);
    bytes += value.length;
    if (!isSlim(value)) commits++;
    if (found < dense) continue;
    if (found !== next) findings.add(`the log has commit ${found} where ${next} should stand`);
    next = found + 1;
  }
  if (next !== revision + 1) {
    findings.add(`the log ends at commit ${next - 1}, but the revision is ${revision}`);
    findings.hasDuplicateIds = true;
  }
  const size = tables.meta.getBinaryFast(Buffer.from('log-bytes'));
  findings.same('bytes of the log', size === undefined ? 0 : unpack<number>(size), bytes);
  return commits;
}

/** The newest change of a subject against the bitmaps as they are. */
function compareSuspension({ tables, findings, live }: Inspection, revision: number, change: SuspensionChange): void {
  const { store, node, op } = change;
  if (!live.has(store)) return;
  const page = readPage(tables, store, pageOf(node));
  const isSuspended = page !== undefined && hasBit(page, node);
  if (isSuspended === (op === 'suspend')) return;
  findings.add(`commit ${revision} has ${op} of node ${node} of store ${store}, which is not so`);
}

/** The newest change of a tuple against the forward index as it is. */
function compare(inspection: Inspection, revision: number, change: EdgeChange, qualifier: Qualifier | undefined): void {
  const { tables, findings, live } = inspection;
  if (!live.has(change.store)) return;
  const key = edgeKey();
  key.store = change.store;
  key.node = change.object;
  key.other = change.subject;
  const bare = (change.kinds & ~QUALIFIED) >>> 0;
  const forms = [bare, (bare | QUALIFIED) >>> 0];
  const found = forms.filter((kinds) => {
    key.kinds = kinds;
    return tables.forward.doesExist(key);
  });
  key.kinds = change.kinds;
  if (change.op === DELETED) {
    if (found.length > 0) findings.add(`commit ${revision} deleted ${edgeText(key)}, which is there`);
    return;
  }
  if (found.length !== 1 || found[0] !== change.kinds) {
    findings.add(`commit ${revision} wrote ${edgeText(key)}, which is not there as written`);
  } else if (qualifier !== undefined && !tables.forward.getBinary(key)?.equals(pack(qualifier))) {
    findings.add(`commit ${revision} wrote ${edgeText(key)} with another condition or expiry`);
  }
}
