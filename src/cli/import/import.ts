import { stat } from 'node:fs/promises';
import { freemem } from 'node:os';
import { basename } from 'node:path';
import type { Engine, ModelSource } from '#engine';
import { type Checkpoint, forgetAdoption, importRecords } from '../../directory/records/index.ts';
import { CliError } from '../cli-error.ts';
import { withEngine } from '../data-folder.ts';
import { unusableFile } from '../file-problem.ts';
import { counted, grouped, Progress } from '../progress.ts';
import type { LoadDescription } from '../service-description.ts';
import { modelOf, readModel } from '../store-file/read-model.ts';
import { readStoreFile } from '../store-file/store-file.ts';
import { openTarget, type Target, type TargetOptions, writeModel } from '../target.ts';
import type { Terminal } from '../terminal.ts';
import { importId } from './import-id.ts';
import { ImportRun } from './import-run.ts';
import type { Position } from './read-lines.ts';
import { RefusedLines } from './refused-lines.ts';
import { type Format, formatOf, headerOf, readSource, type Source, sizeOf, storeFileSources } from './sources.ts';

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
interface Plan {
  readonly name: string;
  readonly sources: readonly Source[];
  readonly model: { readonly source: ModelSource; readonly path: string } | undefined;
  /** Undefined for what cannot be read twice. */
  readonly id: string | undefined;
  readonly bytes: number | undefined;
}

const NOTHING_READ: Position = { offset: 0, line: 0 };
const BATCH_MIN = 250_000;
const BATCH_MAX = 16_000_000;
/** Of packing, sorting and the pages that a commit holds until it is written. */
const BYTES_PER_TUPLE = 400;

/** `relata import FILE`: reads tuples as a stream into a store of a data folder that no server uses. */
export async function importFile(
  terminal: Terminal,
  folder: string,
  file: string,
  options: ImportOptions & { readonly describe: LoadDescription },
): Promise<void> {
  const plan = await readPlan(terminal, file, options);
  await withEngine(folder, {}, async (engine) => {
    // a store of its own is made along with its model; an organization is more than a store
    const create = options.create ?? (options.store !== undefined && plan.model !== undefined);
    const target = await openTarget(engine, { ...options, create }, options.describe);
    if (target.adminApiKey !== undefined) {
      terminal.out.write(`organization ${options.org} created; its administration key: ${target.adminApiKey}\n`);
    }
    if (plan.model !== undefined) {
      terminal.out.write(`${await writeModel(target, plan.model.source, plan.model.path)}\n`);
    }
    if (target.store.modelIds().length === 0)
      throw new CliError(`${target.store.name} has no model: give --model FILE.fga`);
    await importTuples(terminal, engine, target, plan, options);
  });
}

async function readPlan(terminal: Terminal, file: string, options: ImportOptions): Promise<Plan> {
  const path = options.model;
  const model = path === undefined ? undefined : { source: await readModel(path), path };
  if (file === '-') {
    const format = options.format ?? 'ndjson';
    if (format === 'fga-yaml') throw new CliError('a store file is read from a file, not from standard input');
    if (options.resume) throw new CliError('standard input cannot be read from the middle: --resume needs a file');
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

async function requireFile(path: string): Promise<void> {
  try {
    if ((await stat(path)).isFile()) return;
  } catch (error) {
    throw unusableFile(path, error);
  }
  throw new CliError(`${path} is not a file`);
}

async function importTuples(
  terminal: Terminal,
  engine: Engine,
  { store }: Target,
  plan: Plan,
  options: ImportOptions,
): Promise<void> {
  const found = options.resume && plan.id !== undefined ? importRecords.get(store, plan.id)?.document : undefined;
  if (found?.isDone) {
    terminal.out.write(`${plan.name} was imported already: ${counted(found.tuples, 'tuple')}\n`);
    return;
  }
  const from = found ?? beginning(plan.name);
  // roles, groups and permissions that the tuples name get records when the service starts
  await engine.submit(engine.command([forgetAdoption(store)]));
  const progress = new Progress(terminal.err, { label: plan.name, unit: 'tuples', total: plan.bytes });
  progress.startAt(from.position.offset);
  const refused = await openRefused(plan, options, from);
  const batch = options.batch ?? defaultBatch();
  const run = new ImportRun({
    engine,
    store,
    errors: terminal.err,
    progress,
    batch,
    errorsMax: options.errors,
    id: plan.id,
    from,
    refused,
    clock: Date.now,
  });
  try {
    await run.finish(() => readAll(plan, run, from, batch));
  } finally {
    progress.end();
    refused?.close();
  }
  terminal.out.write(`${summary(run, from, progress.seconds)}\n`);
  if (run.refused > 0) terminal.out.write(`${grouped(run.refused)} refused, in ${refused?.path}\n`);
}

/** Answers where the last source ends. */
async function readAll(plan: Plan, run: ImportRun, from: Checkpoint, batch: number): Promise<Position> {
  let end = from.position;
  for (const [place, source] of plan.sources.entries()) {
    if (place < from.source) continue;
    run.begin(place, source.name, source.kind === 'list' ? 'tuple' : 'line');
    end = await readSource(source, run, place === from.source ? from.position : NOTHING_READ, batch);
  }
  return end;
}

function beginning(file: string): Checkpoint {
  return { file, source: 0, position: NOTHING_READ, tuples: 0, refused: 0, refusedBytes: 0, isDone: false, at: 0 };
}

async function openRefused(plan: Plan, options: ImportOptions, from: Checkpoint): Promise<RefusedLines | undefined> {
  if (options.skipInvalid === undefined) return undefined;
  const isCsv = plan.sources.length === 1 && plan.sources[0]?.kind === 'lines' && plan.sources[0].format === 'csv';
  const name = options.skipInvalid === true ? `${plan.name}.refused.${isCsv ? 'csv' : 'ndjson'}` : options.skipInvalid;
  const refused = new RefusedLines(name, from.refusedBytes);
  const [source] = plan.sources;
  if (isCsv && source?.kind === 'lines') refused.addHeader(await headerOf(source.path));
  return refused;
}

/**
 * As large as memory allows: a commit writes each page of the store that it touches once, and in an empty store it
 * leaves them full.
 */
function defaultBatch(): number {
  return Math.round(Math.min(Math.max(freemem() / 2 / BYTES_PER_TUPLE, BATCH_MIN), BATCH_MAX));
}

function summary(run: ImportRun, from: Checkpoint, seconds: number): string {
  const read = run.accepted - from.tuples;
  const before = from.tuples > 0 ? ` after ${grouped(from.tuples)} of an earlier run` : '';
  const { changed, revision } = run.result;
  return `${counted(read, 'tuple')} imported${before}, ${grouped(changed)} new or changed, in ${seconds.toFixed(1)} s (${grouped(read / seconds)}/s), revision ${revision}`;
}
