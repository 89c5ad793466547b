import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ModelSource } from '#engine';
import { CliError } from '../cli-error.ts';
import { unusableFile } from '../file-problem.ts';
import { modelOf, readModel } from '../store-file/read-model.ts';
import { readStoreFile } from '../store-file/store-file.ts';
import type { TargetOptions } from '../target.ts';
import type { Terminal } from '../terminal.ts';
import type { Position } from './reading/read-lines.ts';
import {
  type Format,
  formatOf,
  headerOf,
  readSource,
  type Source,
  sizeOf,
  storeFileSources,
} from './reading/sources.ts';
import type { TupleSink } from './reading/tuple-sink.ts';
import { RefusedLines } from './refused-lines.ts';

export interface ImportOptions extends TargetOptions {
  readonly model?: string;
  readonly format?: Format;
  readonly batch?: number;
  readonly resume?: boolean;
  /** Leave refused lines out; a path, or `true` for one beside the current folder named after the input. */
  readonly skipInvalid?: string | true;
  readonly errors: number;
}

/** What is read, before anything is opened for writing. */
export interface Plan {
  readonly name: string;
  readonly sources: readonly Source[];
  readonly model: { readonly source: ModelSource; readonly path: string } | undefined;
  /** Undefined for what cannot be read twice. */
  readonly id: string | undefined;
  readonly bytes: number | undefined;
}

const SAMPLE_BYTES = 65_536;

export const NOTHING_READ: Position = { offset: 0, line: 0 };

export async function readPlan(terminal: Terminal, file: string, options: ImportOptions): Promise<Plan> {
  const path = options.model;
  const model = path === undefined ? undefined : { source: await readModel(path), path };
  if (file === '-') {
    const format = options.format ?? 'ndjson';
    if (format === 'fga-yaml') throw new CliError('a store file cannot be read from standard input');
    if (options.resume) throw new CliError('--resume needs a file: standard input cannot be resumed');
    const sources: Source[] = [{ kind: 'stream', name: '-', input: terminal.input, format }];
    return { name: 'stdin', sources, model, id: undefined, bytes: undefined };
  }
  await requireFile(file);
  const format = formatOf(file, options.format);
  if (format !== 'fga-yaml') return planOf(file, [{ kind: 'lines', name: file, path: file, format }], model);
  const storeFile = await readStoreFile(file);
  const sources = await storeFileSources(storeFile, file);
  return planOf(file, sources, model ?? { source: await modelOf(storeFile, file), path: file });
}

async function planOf(file: string, sources: readonly Source[], model: Plan['model']): Promise<Plan> {
  const paths = sources.flatMap((source) => (source.kind === 'lines' ? [source.path] : []));
  const id = await importId([...new Set([file, ...paths])]);
  return { name: basename(file), sources, model, id, bytes: await sizeOf(sources) };
}

/** The same for the same files wherever they lie: their names, sizes, first and last bytes. */
async function importId(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      hash.update(`${basename(path)}\0${size}\0`);
      const sample = Buffer.alloc(SAMPLE_BYTES);
      for (const at of [0, Math.max(0, size - SAMPLE_BYTES)]) {
        const { bytesRead } = await file.read(sample, 0, SAMPLE_BYTES, at);
        hash.update(sample.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }
  return hash.digest('hex').slice(0, 32);
}

async function requireFile(path: string): Promise<void> {
  try {
    if ((await stat(path)).isFile()) return;
  } catch (error) {
    throw unusableFile(path, error);
  }
  throw new CliError(`${path} is not a file`);
}

/** Takes what all sources have. */
export interface SourcesSink extends TupleSink {
  /** What is read from now on comes from here; `unit` says what a position counts. */
  begin(source: number, name: string, unit: 'line' | 'tuple'): Promise<void> | void;
}

/** Reads all sources, or what is left of them. Answers where the last one ends. */
export async function readSources(
  plan: Plan,
  sink: SourcesSink,
  from: { readonly source: number; readonly position: Position },
  batch: number,
): Promise<Position> {
  let end = from.position;
  for (const [index, source] of plan.sources.entries()) {
    if (index < from.source) continue;
    await sink.begin(index, source.name, source.kind === 'list' ? 'tuple' : 'line');
    end = await readSource(source, sink, index === from.source ? from.position : NOTHING_READ, batch);
  }
  return end;
}

/** @param length of the file, where an earlier run is continued */
export async function openRefused(
  plan: Plan,
  options: ImportOptions,
  length: number,
): Promise<RefusedLines | undefined> {
  if (options.skipInvalid === undefined) return undefined;
  const isCsv = plan.sources.length === 1 && plan.sources[0]?.kind === 'lines' && plan.sources[0].format === 'csv';
  const name = options.skipInvalid === true ? `${plan.name}.refused.${isCsv ? 'csv' : 'ndjson'}` : options.skipInvalid;
  const refused = new RefusedLines(name, length);
  const [source] = plan.sources;
  if (isCsv && source?.kind === 'lines') refused.addHeader(await headerOf(source.path));
  return refused;
}
