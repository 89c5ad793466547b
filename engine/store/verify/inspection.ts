import type { StoreHead } from '../catalog.ts';
import type { Tables } from '../environment.ts';

const SHOWN_MAX = 100;

/** What a verification found. All is counted; the first hundred are kept in words. */
export class Findings {
  readonly shown: string[] = [];
  count = 0;
  /** Were ids or revisions given out twice? */
  hasDuplicateIds = false;

  add(problem: string): void {
    this.count++;
    if (this.shown.length < SHOWN_MAX) this.shown.push(problem);
  }

  /** Compares two counts that must be equal. */
  same(what: string, stored: number, actual: number): void {
    if (stored !== actual) this.add(`${what}: ${stored} stored, ${actual} counted`);
  }
}

/** What every part of a verification has at hand. */
export interface Inspection {
  readonly tables: Tables;
  readonly findings: Findings;
  /** Stores that are not deleted, by number. Data of deleted ones may be half swept, and is passed over. */
  readonly live: ReadonlyMap<number, StoreHead>;
  readonly deleted: ReadonlySet<number>;
  readonly revision: number;
}

/** True where a row of this store is to be looked at. A row of a store that does not exist is a finding. */
export function isInspected({ live, deleted, findings }: Inspection, store: number, what: string): boolean {
  if (live.has(store)) return true;
  if (!deleted.has(store)) findings.add(`${what} of store ${store}, which does not exist`);
  return false;
}
