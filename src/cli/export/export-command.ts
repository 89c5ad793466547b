import { createWriteStream, type WriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Command, Option } from 'commander';
import type { Engine, ModelSource, Store } from '#engine';
import type { AnyRecordKind } from '../../kernel/records/index.ts';
import { CliError } from '../cli-error.ts';
import { dataFolder, dataOption, withEngine } from '../data-folder.ts';
import { type Format, formatOf } from '../import/reading/sources.ts';
import { counted, Progress } from '../progress.ts';
import { runAction } from '../run-action.ts';
import type { LoadDescription } from '../service-description.ts';
import { findStore, storeName, type TargetOptions } from '../target.ts';
import type { Output, Terminal } from '../terminal.ts';
import { formats, type TupleFormat } from './formats.ts';
import { TextOutput } from './text-output.ts';

interface ExportOptions extends TargetOptions {
  readonly format?: Format;
  readonly output?: string;
  readonly records?: boolean;
  readonly data?: string;
}

const PAGE = 2000;

export function exportCommand(terminal: Terminal, describe: LoadDescription): Command {
  return new Command('export')
    .summary('export all tuples of a store')
    .description(
      'Export all tuples of a store. With --format fga-yaml, the file also contains the model. The import command reads all of these files.',
    )
    .option('--org <name>', 'export this organization')
    .option('--store <name>', 'export this store, outside any organization')
    .addOption(
      new Option('--format <format>', 'the format (default: by the file name, or ndjson on standard output)').choices([
        'ndjson',
        'csv',
        'fga-yaml',
      ]),
    )
    .option(
      '--records',
      "export the organization's users, roles, groups and other records instead, as NDJSON without secrets",
    )
    .option('-o, --output <file>', 'write to this file, all or nothing (default: standard output)')
    .option(...dataOption)
    .action((options: ExportOptions) => runAction(terminal, () => exportStore(terminal, options, describe)));
}

async function exportStore(terminal: Terminal, options: ExportOptions, describe: LoadDescription): Promise<void> {
  const name = storeName(options);
  const { output } = options;
  if (options.records && options.format !== undefined && options.format !== 'ndjson')
    throw new CliError('--records can only be exported as ndjson');
  await withEngine(dataFolder(terminal, options.data), {}, async (engine) => {
    const store = findStore(engine, name);
    if (options.records) {
      const { records } = await describe();
      const write = (to: Output) => writeRecords(engine, store, records, to);
      const count = await (output === undefined ? write(terminal.out) : writeFile(output, write));
      if (output !== undefined) terminal.out.write(`${counted(count, 'record')} exported\n`);
      return;
    }
    if (output === undefined) {
      await writeTuples(store, formats[options.format ?? 'ndjson'], terminal.out);
      return;
    }
    const format = formats[formatOf(output, options.format)];
    const progress = new Progress(terminal.err, { label: name, unit: 'tuples', total: store.stats().tuples });
    const count = await writeFile(output, (file) => writeTuples(store, format, file, progress));
    progress.end();
    terminal.out.write(`${counted(count, 'tuple')} exported in ${progress.seconds.toFixed(1)} s\n`);
  });
}

/** Page by page. Answers how many tuples were written. */
async function writeTuples(store: Store, format: TupleFormat, to: Output, progress?: Progress): Promise<number> {
  const output = new TextOutput(to);
  let text = format.head(store.name, () => modelOf(store));
  let count = 0;
  for (let cursor: { cursor?: string } | undefined = {}; cursor !== undefined; ) {
    const page: ReturnType<Store['readTuples']> = store.readTuples({ ...cursor, limit: PAGE });
    for (const tuple of page.tuples) text += format.tuple(tuple);
    if (!(await output.write(text))) break;
    text = '';
    count += page.tuples.length;
    progress?.update(count, count);
    cursor = page.cursor === undefined ? undefined : { cursor: page.cursor };
  }
  output.check();
  return count;
}

/** One kind after the other. Answers how many records were written. */
async function writeRecords(
  engine: Engine,
  store: Store,
  kinds: readonly AnyRecordKind[],
  to: Output,
): Promise<number> {
  const output = new TextOutput(to);
  let count = 0;
  for (const kind of kinds) {
    for (const page of kind.exported(engine, store)) {
      count += page.length;
      if (!(await output.write(page.map((record) => `${JSON.stringify(record)}\n`).join('')))) return count;
    }
  }
  output.check();
  return count;
}

function modelOf(store: Store): ModelSource {
  if (store.modelIds().length === 0)
    throw new CliError(`${store.name} has no model: export its tuples as ndjson or csv`);
  return store.model().source;
}

/** Nothing of it is under way afterwards: a file that is still being opened would appear after it was removed. */
function closed(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) return resolve();
    stream.once('close', resolve);
    stream.destroy();
  });
}

/** Under another name until it is whole. */
async function writeFile(path: string, task: (output: Output) => Promise<number>): Promise<number> {
  const draft = `${path}.partial`;
  const stream = createWriteStream(draft);
  const finished = new Promise<void>((resolve, reject) => {
    stream.once('finish', resolve);
    stream.once('error', reject);
  });
  // the task sees the same error first
  finished.catch(() => {});
  try {
    const count = await task(stream);
    stream.end();
    await finished;
    await rename(draft, path);
    return count;
  } catch (error) {
    await closed(stream);
    await rm(draft, { force: true });
    if (error instanceof Error && 'syscall' in error) throw new CliError(`${path} cannot be written: ${error.message}`);
    throw error;
  }
}
