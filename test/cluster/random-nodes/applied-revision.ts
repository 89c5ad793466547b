import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTables, type Tables } from '../../../engine/store/environment.ts';
import { readLogIdentity } from '../../../engine/store/folder/log-identity.ts';
import { readRevision } from '../../../engine/store/layout.ts';
import { openBetweenWrites } from '../../../engine/store/lock/opening-lock.ts';
import { RevisionTokens } from '../../../src/access/decisions/context/revision-tokens.ts';

const REVISION = Buffer.from('revision');
const LOOK_MS = 1;
const WAIT_MS = 30_000;

/** How far a node that runs has come, read from its store. */
export class AppliedRevision {
  readonly tokens: RevisionTokens;
  readonly #tables: Tables;

  private constructor(tables: Tables) {
    this.#tables = tables;
    this.tokens = new RevisionTokens(readLogIdentity(tables));
  }

  /** @param folder of the node */
  static async open(folder: string): Promise<AppliedRevision> {
    const path = join(folder, 'data', 'store');
    return new AppliedRevision(await openBetweenWrites(path, () => openTables({ path, readOnly: true })));
  }

  now(): number {
    this.#tables.root.resetReadTxn(); // otherwise it is as of the last turn
    const bytes = this.#tables.meta.getBinary(REVISION);
    return bytes === undefined ? 0 : readRevision(bytes);
  }

  async reached(revision: number): Promise<void> {
    for (const until = performance.now() + WAIT_MS; this.now() < revision; ) {
      if (performance.now() > until) throw new Error(`a node did not reach revision ${revision}`);
      await sleep(LOOK_MS);
    }
  }

  close(): Promise<void> {
    return this.#tables.root.close();
  }
}
