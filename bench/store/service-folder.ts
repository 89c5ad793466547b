import { createHash } from 'node:crypto';
import { constants, cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Keepable, keptFolder } from './kept-folder.ts';

/** A data folder of the service. */
export interface MadeFolder {
  readonly folder: string;
}

/** Data of the service that takes minutes to make. */
export interface ServiceFolder<Made extends MadeFolder> {
  readonly name: string;
  /** Compiled files that make it, from the folder of the build: names of files, or of folders for all in them. */
  readonly sources: readonly string[];
  /** What else decides how it looks. */
  readonly facts: unknown;
  /** Makes it in a folder that is there. */
  make(scratch: string): Promise<Made>;
}

const build = fileURLToPath(new URL('../../', import.meta.url));
/** Where the version of the store's format stands. */
const FORMAT = 'engine/store/folder/format.js';

/**
 * Made in the scratch folder. With `RELATA_BENCH_KEEP=1` it is made in a folder that is kept between runs, and what is
 * used is a copy: a service that runs changes its data.
 */
export async function serviceFolder<Made extends MadeFolder>(
  scratch: string,
  data: ServiceFolder<Made>,
): Promise<Made> {
  if (process.env.RELATA_BENCH_KEEP !== '1') return await data.make(scratch);
  const { folder, made } = await keptFolder(keepable(data));
  const copy = join(scratch, 'data');
  cpSync(join(folder, 'data'), copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return { ...made, folder: copy };
}

function keepable<Made extends MadeFolder>(data: ServiceFolder<Made>): Keepable<Made> {
  const { name, sources, facts } = data;
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const path of [FORMAT, ...sources].flatMap(filesAt)) hash.update(readFileSync(join(build, path)));
  return { name, stamp: hash.digest('hex'), make: (folder) => data.make(folder) };
}

function filesAt(path: string): string[] {
  if (path.endsWith('.js')) return [path];
  const names = readdirSync(join(build, path)).filter((name) => name.endsWith('.js'));
  return names.sort().map((name) => `${path}/${name}`);
}
