import { isEmptyPage, nodesOf } from '../suspended/pages.ts';
import { type Inspection, isInspected } from './inspection.ts';

/** Each page of suspended subjects has a bit, and each bit is a node that has a name. */
export function verifySuspended(inspection: Inspection): void {
  const { tables, findings, live } = inspection;
  for (const { key, value } of tables.suspended.getRange({})) {
    const store = key.readUInt32BE(0);
    if (!isInspected(inspection, store, 'a page of suspended subjects')) continue;
    const page = key.readUInt32BE(4);
    if (isEmptyPage(value)) findings.add(`store ${store}: page ${page} of the suspended subjects is empty`);
    const bound = live.get(store)?.nextNode ?? 0;
    for (const node of nodesOf(page, value)) {
      if (node === 0 || node >= bound) findings.add(`store ${store}: node ${node} is suspended, and has no name`);
    }
  }
}
