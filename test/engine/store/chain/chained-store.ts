import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Change, Command } from '../../../../engine/command/command.ts';
import { packCommand } from '../../../../engine/command/pack-command.ts';
import { openTables, type Tables } from '../../../../engine/store/environment.ts';
import { allocateShared, type OpenedWriter, openWriter } from '../../../../engine/store/open-writer.ts';
import { proveChains } from '../../../../engine/store/verify/prove-chains.ts';

export const key = Buffer.alloc(32, 7);
export const chain = 'journal';
export const digest = (document: unknown): Buffer => createHash('sha256').update(JSON.stringify(document)).digest();
export const question = { chain, key, digest };

/** A writer with one store, `s`, in a folder of its own. */
export class ChainedStore {
  readonly path = mkdtempSync(join(tmpdir(), 'relata-chain-'));
  opened: OpenedWriter;
  #count = 0;

  constructor() {
    this.opened = this.#open(key);
    this.apply([{ op: 'create_store', store: 's' }]);
  }

  #open(chainKey: Uint8Array | undefined): OpenedWriter {
    return openWriter({
      path: this.path,
      shared: allocateShared(4096),
      retention: { commitsMax: 100, bytesMax: 1e6, storeBytesMax: 1e6 },
      chainKey,
      unsafeNoSync: true,
    });
  }

  /** Closes it, and opens it again after a task. */
  async reopen(task: () => Promise<void> = async () => {}): Promise<void> {
    await this.opened.close();
    await task();
    this.opened = this.#open(key);
  }

  /** The same without a key. */
  async reopenKeyless(): Promise<void> {
    await this.opened.close();
    this.opened = this.#open(undefined);
  }

  command(changes: readonly Change[], more: Partial<Command> = {}): Command {
    return { id: `c${++this.#count}`, time: 1, changes, ...more };
  }

  apply(...batch: readonly (readonly Change[] | Command)[]) {
    return this.opened.writer.apply(batch.map((each) => packCommand('changes' in each ? each : this.command(each))));
  }

  async prove(more = {}) {
    return (await proveChains(this.path, { ...question, ...more })).find(({ store }) => store === 's');
  }

  async damage(task: (tables: Tables) => void): Promise<void> {
    const tables = openTables({ path: this.path });
    task(tables);
    await tables.root.close();
  }

  async remove(): Promise<void> {
    await this.opened.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

export function entry(id: string, store = 's', document: unknown = { id }): Change[] {
  return [
    { op: 'put_record', store, record: { collection: chain, id, document } },
    { op: 'append_chained', store, chain, entry: id, digest: digest(document) },
  ];
}

/** What the specification of a link says, computed by hand. */
export function linksOf(store: string, ids: readonly string[]): Buffer[] {
  let link = createHash('sha256').update(`${store}\0${chain}`).digest();
  return ids.map((id, place) => {
    const sequence = Buffer.alloc(8);
    sequence.writeBigUInt64BE(BigInt(place + 1));
    link = createHmac('sha256', key).update(link).update(sequence).update(digest({ id })).digest();
    return link;
  });
}
