import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Engine, TuplePacker } from '#engine';
import type { DataSet } from '../data/data-set.ts';
import { secondsSince } from '../measure/clock.ts';

export const STORE = 'bench';

/** Tuples of one commit: all of them, as `relata import` has it where there is memory enough. */
const COMMIT_TUPLES_MAX = 16_000_000;

export interface ImportFigures {
  readonly tuples: number;
  readonly seconds: number;
  readonly bytesOnDisk: number;
}

/**
 * Imports a data set into an empty folder through the engine's packed path: makes the tuples, packs them and commits
 * them. The clock stops when the last commit is durable.
 */
export async function importDataSet(data: DataSet, folder: string): Promise<ImportFigures> {
  const engine = await Engine.open({ path: folder });
  const store = await engine.createStore(STORE);
  await store.writeModel({ dsl: data.dsl });
  const packer = new TuplePacker();
  const add = (object: string, relation: string, subject: string): void => packer.add({ object, relation, subject });
  const commit = async (): Promise<void> => {
    await engine.submit(engine.command([{ op: 'write_packed', store: STORE, packed: packer.take() }]));
  };
  const startedAt = process.hrtime.bigint();
  for (const _ of data.tuples(add)) if (packer.count >= COMMIT_TUPLES_MAX) await commit();
  if (packer.count > 0) await commit();
  const seconds = secondsSince(startedAt);
  const { tuples } = store.stats();
  await engine.close();
  return { tuples, seconds, bytesOnDisk: bytesOnDisk(folder) };
}

/** What the files below a folder take on the disk, as the file system counts it. */
export function bytesOnDisk(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.blocks * 512 : 0), 0);
}
