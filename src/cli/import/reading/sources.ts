import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { parse } from 'yaml';
import { CliError } from '../../cli-error.ts';
import { readText, type StoreFile } from '../../store-file/store-file.ts';
import { tupleFromJson } from '../../tuples/tuple-json.ts';
import { CsvVisitor } from './read-csv.ts';
import { type Position, readLines } from './read-lines.ts';
import { ndjsonVisitor } from './read-ndjson.ts';
import type { TupleSink } from './tuple-sink.ts';

export type Format = 'fga-yaml' | 'ndjson' | 'csv';

/** Tuples that are read one after the other: lines of a file, or a list that is in memory. */
export type Source =
  | { readonly kind: 'lines'; readonly name: string; readonly path: string; readonly format: 'ndjson' | 'csv' }
  | { readonly kind: 'stream'; readonly name: string; readonly input: Readable; readonly format: 'ndjson' | 'csv' }
  | { readonly kind: 'list'; readonly name: string; readonly tuples: readonly unknown[] };

/** How many tuples of a list are added before the sink is asked whether to go on. */
const LIST_STEP = 1000;
const BLOCK_BYTES_MAX = 2 ** 20;
const HEADER_BYTES_MAX = 65_536;

export function formatOf(path: string, option: Format | undefined): Format {
  if (option !== undefined) return option;
  const name = basename(path).toLowerCase();
  if (/\.ya?ml$/.test(name)) return 'fga-yaml';
  if (name.endsWith('.csv')) return 'csv';
  if (/\.(?:ndjson|jsonl|txt)$/.test(name)) return 'ndjson';
  throw new CliError(`cannot tell the format of ${path} by its name: add --format`);
}

/** Everything that a store file, or one of its tests, says about tuples. Files are relative to it. */
export async function storeFileSources(
  file: Pick<StoreFile, 'tuples' | 'tuple_file' | 'tuple_files'>,
  path: string,
): Promise<Source[]> {
  const sources: Source[] = [];
  if (file.tuples && file.tuples.length > 0) sources.push({ kind: 'list', name: path, tuples: file.tuples });
  const names = [...(file.tuple_file ? [file.tuple_file] : []), ...(file.tuple_files ?? [])];
  for (const name of names) sources.push(await tupleFile(join(dirname(path), name)));
  return sources;
}

async function tupleFile(path: string): Promise<Source> {
  const name = path.toLowerCase();
  if (name.endsWith('.csv')) return { kind: 'lines', name: path, path, format: 'csv' };
  if (/\.(?:ndjson|jsonl)$/.test(name)) return { kind: 'lines', name: path, path, format: 'ndjson' };
  if (!/\.(?:ya?ml|json)$/.test(name)) throw new CliError(`${path}: tuples are read from YAML, JSON, NDJSON and CSV`);
  const text = await readText(path);
  let value: unknown;
  try {
    value = name.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new CliError(`${path}: ${(error as Error).message.split('\n')[0]}`);
  }
  if (!Array.isArray(value)) throw new CliError(`${path}: must be a list of tuples`);
  return { kind: 'list', name: path, tuples: value };
}

/** Bytes of all that is read from files; undefined where a stream's end is not known. */
export async function sizeOf(sources: readonly Source[]): Promise<number | undefined> {
  let bytes = 0;
  for (const source of sources) {
    if (source.kind === 'stream') return undefined;
    if (source.kind === 'lines') bytes += (await stat(source.path)).size;
  }
  return bytes;
}

/** Reads a source from a position to its end, and answers the end. `batch` bounds what is read between two pauses. */
export async function readSource(source: Source, sink: TupleSink, from: Position, batch: number): Promise<Position> {
  if (source.kind === 'list') return readList(source.tuples, sink, from);
  const visitor = await visitorOf(source, sink, from);
  const input =
    source.kind === 'stream'
      ? source.input
      : createReadStream(source.path, {
          start: from.offset,
          highWaterMark: Math.min(Math.max(batch * 32, 4096), BLOCK_BYTES_MAX),
        });
  const end = await readLines(input, from, visitor);
  if (visitor instanceof CsvVisitor) visitor.end();
  return end;
}

async function visitorOf(source: Exclude<Source, { kind: 'list' }>, sink: TupleSink, from: Position) {
  if (source.format === 'ndjson') return ndjsonVisitor(sink);
  const isContinued = from.offset > 0 && source.kind === 'lines';
  return new CsvVisitor(sink, isContinued ? await headerOf(source.path) : undefined);
}

/** The first line of a CSV file. */
export async function headerOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0);
    const lines = buffer.toString('utf8', 0, bytesRead).split(/\r?\n/);
    return lines.find((line) => line !== '' && !line.startsWith('#')) ?? '';
  } finally {
    await file.close();
  }
}

async function readList(tuples: readonly unknown[], sink: TupleSink, from: Position): Promise<Position> {
  const position = { ...from };
  while (position.line < tuples.length) {
    const value = tuples[position.line++];
    const tuple = tupleFromJson(value);
    const raw = Buffer.from(JSON.stringify(value) ?? '');
    if (typeof tuple === 'string') sink.reject(position.line, tuple, raw);
    else sink.add(position.line, tuple, raw);
    if (position.line % LIST_STEP === 0) await sink.pause(position);
  }
  return position;
}
