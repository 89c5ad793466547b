import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEED } from '../data/random.ts';

/** What is made once and used by later runs, too. */
export interface Keepable<Made> {
  readonly name: string;
  /** What decides how it looks. It is made anew where this is another text than when it was made. */
  readonly stamp: string;
  /** Answers what is to be known of it later, as JSON can say it. */
  make(folder: string): Promise<Made>;
}

export interface Kept<Made> {
  readonly folder: string;
  readonly made: Made;
}

interface Stamped<Made> {
  readonly stamp: string;
  readonly made: Made;
}

const STAMP = 'stamp.json';

/** The folder with this data, made now where there is none that is current. */
export async function keptFolder<Made>(data: Keepable<Made>): Promise<Kept<Made>> {
  const folder = folderOf(data);
  const stamped = stampedAt<Made>(folder);
  return stamped?.stamp === data.stamp ? { folder, made: stamped.made } : await madeAnew(data);
}

/** Makes it even where it was made before. A folder that is not finished never has the name of one that is. */
export async function madeAnew<Made>(data: Keepable<Made>): Promise<Kept<Made>> {
  const folder = folderOf(data);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const made = await data.make(unfinished);
  writeFileSync(join(unfinished, STAMP), JSON.stringify({ stamp: data.stamp, made } satisfies Stamped<Made>));
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
  return { folder, made };
}

/** A folder for what a benchmark writes and throws away, on the same disk as what is kept. */
export function scratchFolder(name: string): string {
  const folder = join(keepingPlace(), `relata-bench-scratch-${name}-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

function folderOf({ name }: Pick<Keepable<unknown>, 'name'>): string {
  return join(keepingPlace(), `relata-bench-${SEED}-${name}`);
}

function keepingPlace(): string {
  return process.env.RELATA_BENCH_DIR ?? tmpdir();
}

function stampedAt<Made>(folder: string): Stamped<Made> | undefined {
  const path = join(folder, STAMP);
  // written by `madeAnew` with the same stamp, if it is current
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Stamped<Made>) : undefined;
}
