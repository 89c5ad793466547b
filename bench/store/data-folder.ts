import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DataSet } from '../data/data-set.ts';
import { SEED } from '../data/random.ts';
import { type ImportFigures, importDataSet } from './import-data-set.ts';

/** What decides how the same tuples look on disk. */
const FORMAT_SOURCES = fileURLToPath(new URL('../../engine/store', import.meta.url));
const STAMP = 'stamp.json';

/**
 * A folder with this data set, loaded now where there is none yet or where the generator, the model or the store's
 * format is another one than when it was. `RELATA_BENCH_DIR` says where such folders are kept between runs.
 */
export async function dataFolder(data: DataSet): Promise<string> {
  const folder = keptFolder(data);
  if (!isCurrent(data, folder)) await loadAnew(data);
  return join(folder, 'data');
}

/** Loads the data set even where it was loaded before, and keeps it. */
export async function loadAnew(data: DataSet): Promise<ImportFigures> {
  const folder = keptFolder(data);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(join(unfinished, 'data'), { recursive: true });
  const figures = await importDataSet(data, join(unfinished, 'data'));
  writeFileSync(join(unfinished, STAMP), JSON.stringify({ stamp: stampOf(data), figures }));
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return figures;
}

/** A folder for what a benchmark writes and throws away, on the same disk as the data sets. */
export function scratchFolder(name: string): string {
  const folder = join(keepingPlace(), `relata-bench-scratch-${name}-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

function keptFolder(data: DataSet): string {
  return join(keepingPlace(), `relata-bench-${SEED}-${data.name}`);
}

function keepingPlace(): string {
  return process.env.RELATA_BENCH_DIR ?? tmpdir();
}

function isCurrent(data: DataSet, folder: string): boolean {
  const path = join(folder, STAMP);
  if (!existsSync(path)) return false;
  return (JSON.parse(readFileSync(path, 'utf8')) as { stamp: string }).stamp === stampOf(data);
}

function stampOf(data: DataSet): string {
  const hash = createHash('sha256').update(`${data.name} ${data.version} ${data.dsl}`);
  const names = readdirSync(FORMAT_SOURCES, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => each.endsWith('.js')).sort()) {
    hash.update(readFileSync(join(FORMAT_SOURCES, name)));
  }
  return hash.digest('hex');
}
