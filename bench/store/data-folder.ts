import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataSet } from '../data/data-set.ts';
import { type ImportFigures, importDataSet } from './import-data-set.ts';
import { type Keepable, keptFolder, madeAnew } from './kept-folder.ts';

/** What decides how the same tuples look on disk. */
const FORMAT_SOURCES = fileURLToPath(new URL('../../engine/store', import.meta.url));

/**
 * A folder with this data set, loaded now where there is none yet or where the generator, the model or the store's
 * format is another one than when it was. `RELATA_BENCH_DIR` says where such folders are kept between runs.
 */
export async function dataFolder(data: DataSet): Promise<string> {
  const { folder } = await keptFolder(imported(data));
  return join(folder, 'data');
}

/** Loads the data set even where it was loaded before, and keeps it. */
export async function loadAnew(data: DataSet): Promise<ImportFigures> {
  return (await madeAnew(imported(data))).made;
}

function imported(data: DataSet): Keepable<ImportFigures> {
  return {
    name: data.name,
    stamp: stampOf(data),
    async make(folder) {
      mkdirSync(join(folder, 'data'));
      return await importDataSet(data, join(folder, 'data'));
    },
  };
}

function stampOf(data: DataSet): string {
  const hash = createHash('sha256').update(`${data.name} ${data.version} ${data.dsl}`);
  const names = readdirSync(FORMAT_SOURCES, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => each.endsWith('.js')).sort()) {
    hash.update(readFileSync(join(FORMAT_SOURCES, name)));
  }
  return hash.digest('hex');
}
