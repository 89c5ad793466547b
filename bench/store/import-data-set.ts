import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, type CommandLog, Engine, PortLog, startWriter, TuplePacker } from '#engine';
import type { DataSet } from '../data/data-set.ts';
import { writerSettings } from './writer-settings.ts';

export const STORE = 'bench';

/** Tuples of one commit. */
const BLOCK_TUPLES = 20_000;
/** Commits on their way: while the writer applies one, the next is packed. */
const BLOCKS_UNDER_WAY_MAX = 3;

export interface ImportFigures {
  readonly tuples: number;
  readonly seconds: number;
  readonly bytesOnDisk: number;
}

/**
 * Imports a data set into an empty folder through the engine's packed path: this thread makes the tuples and packs
 * them, the writer's thread applies them. The clock stops when the last commit is durable.
 */
export async function importDataSet(data: DataSet, folder: string): Promise<ImportFigures> {
  const settings = writerSettings(folder);
  const writer = await startWriter(settings);
  const log = new PortLog(writer.connect());
  const engine = await Engine.open({ path: folder, joined: { shared: settings.shared, log } });
  const store = await engine.createStore(STORE);
  await store.writeModel({ dsl: data.dsl });
  const startedAt = performance.now();
  await pack(data, log);
  const seconds = (performance.now() - startedAt) / 1000;
  const { tuples } = store.stats();
  await engine.close();
  await writer.close();
  return { tuples, seconds, bytesOnDisk: bytesOnDisk(folder) };
}

async function pack(data: DataSet, log: CommandLog): Promise<void> {
  const packer = new TuplePacker();
  const underWay = new Set<Promise<unknown>>();
  const send = (): void => {
    const commit = log.submit(command(packer)).finally(() => underWay.delete(commit));
    underWay.add(commit);
  };
  const add = (object: string, relation: string, subject: string): void => packer.add({ object, relation, subject });
  for (const _ of data.tuples(add)) {
    if (packer.count < BLOCK_TUPLES) continue;
    send();
    // A message leaves at the end of a turn, so that this thread has to end one to get it under way.
    await new Promise((resolve) => setImmediate(resolve));
    while (underWay.size >= BLOCKS_UNDER_WAY_MAX) await Promise.race(underWay);
  }
  if (packer.count > 0) send();
  await Promise.all(underWay);
}

function command(packer: TuplePacker): Command {
  return {
    id: randomUUID(),
    time: Date.now(),
    changes: [{ op: 'write_packed', store: STORE, packed: packer.take() }],
  };
}

/** What the files below a folder take on the disk, as the file system counts it. */
export function bytesOnDisk(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.blocks * 512 : 0), 0);
}
