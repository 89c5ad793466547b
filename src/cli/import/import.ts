import { freemem } from 'node:os';
import type { Engine } from '#engine';
import { type Checkpoint, forgetAdoption, importRecords } from '../../directory/records/index.ts';
import { commit } from '../../kernel/commits/index.ts';
import { CliError } from '../cli-error.ts';
import { withEngine } from '../data-folder.ts';
import { counted, grouped, Progress } from '../progress.ts';
import type { LoadDescription } from '../service-description.ts';
import { openTarget, type Target, writeModel } from '../target.ts';
import type { Terminal } from '../terminal.ts';
import { type ImportOptions, NOTHING_READ, openRefused, type Plan, readPlan, readSources } from './import-plan.ts';
import { ImportRun } from './import-run.ts';
import { Refusals } from './refusals.ts';

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
      throw new CliError(`${target.store.name} has no model: add --model FILE.fga`);
    await importTuples(terminal, engine, target, plan, options);
  });
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
  await commit(engine, store, (changes) => changes.change([forgetAdoption(store)]));
  const progress = new Progress(terminal.err, { label: plan.name, unit: 'tuples', total: plan.bytes });
  progress.startAt(from.position.offset);
  const refused = await openRefused(plan, options, from.refusedBytes);
  const refusals = new Refusals({
    errors: terminal.err,
    progress,
    errorsMax: options.errors,
    file: refused,
    before: from.refused,
  });
  const batch = options.batch ?? defaultBatch();
  const run = new ImportRun({ engine, store, progress, batch, id: plan.id, from, refusals, refused });
  try {
    await run.finish(() => readSources(plan, run, from, batch));
  } finally {
    progress.end();
    refused?.close();
  }
  terminal.out.write(`${summary(run, from, progress.seconds)}\n`);
  if (run.refused > 0) terminal.out.write(`${grouped(run.refused)} refused, in ${refused?.path}\n`);
}

function beginning(file: string): Checkpoint {
  return { file, source: 0, position: NOTHING_READ, tuples: 0, refused: 0, refusedBytes: 0, isDone: false, at: 0 };
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
