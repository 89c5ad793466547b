import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Command, Option } from 'commander';
import type { ModelSource, Store } from '#engine';
import { CliError } from '../cli-error.ts';
import { dataFolder, withEngine } from '../data-folder.ts';
import { type Format, formatOf } from '../import/sources.ts';
import { grouped, Progress } from '../progress.ts';
import { runAction } from '../run-action.ts';
import { findStore, storeName, type TargetOptions } from '../target.ts';
import type { Output, Terminal } from '../terminal.ts';
import { formats, type TupleFormat } from './formats.ts';

interface ExportOptions extends TargetOptions {
  readonly format?: Format;
  readonly output?: string;
  readonly data?: string;
}

const PAGE = 10_000;
const WRITE_CHARACTERS = 65_536;

export function exportCommand(terminal: Terminal): Command {
  return new Command('export')
    .summary('write all tuples of a store')
    .description('Write all tuples of a store, in a store file with its model, so that import reads them back.')
    .option('--org <name>', 'of this organization')
    .option('--store <name>', 'of this store, outside of any organization')
    .addOption(
      new Option('--format <format>', "instead of what the file's name tells; ndjson on standard output").choices([
        'ndjson',
        'csv',
        'fga-yaml',
      ]),
    )
    .option('-o, --output <file>', 'the file to write, complete or not at all; standard output without it')
    .option('--data <folder>', 'the data folder (RELATA_DATA_DIR)')
    .action((options: ExportOptions) => runAction(terminal, () => exportStore(terminal, options)));
}

async function exportStore(terminal: Terminal, options: ExportOptions): Promise<void> {
  const name = storeName(options);
  await withEngine(dataFolder(terminal, options.data), {}, async (engine) => {
    const store = findStore(engine, name);
    const format =
      formats[options.output === undefined ? (options.format ?? 'ndjson') : formatOf(options.output, options.format)];
    if (options.output === undefined) {
      await writeTuples(store, format, terminal.out, silent);
      return;
    }
    const progress = new Progress(terminal.err, { label: name, unit: 'tuples', total: store.stats().tuples });
    const count = await writeFile(options.output, (output) =>
      writeTuples(store, format, output, (tuples) => progress.update(tuples, tuples)),
    );
    progress.end();
    terminal.out.write(`${grouped(count)} tuples exported in ${progress.seconds.toFixed(1)} s\n`);
  });
}

function silent(): void {
  // tuples on standard output leave no room for anything else
}

/** Page by page, no faster than the output takes it. Answers how many tuples were written. */
async function writeTuples(
  store: Store,
  format: TupleFormat,
  output: Output,
  progress: (tuples: number) => void,
): Promise<number> {
  let text = format.head(store.name, () => modelOf(store));
  let count = 0;
  for (let cursor: { cursor?: string } | undefined = {}; cursor !== undefined; ) {
    const page: ReturnType<Store['readTuples']> = store.readTuples({ ...cursor, limit: PAGE });
    for (const tuple of page.tuples) {
      text += format.tuple(tuple);
      if (text.length >= WRITE_CHARACTERS) {
        await write(output, text);
        text = '';
      }
    }
    count += page.tuples.length;
    progress(count);
    cursor = page.cursor === undefined ? undefined : { cursor: page.cursor };
  }
  if (text !== '') await write(output, text);
  return count;
}

function modelOf(store: Store): ModelSource {
  if (store.modelIds().length === 0)
    throw new CliError(`${store.name} has no model: export its tuples as ndjson or csv`);
  return store.model().source;
}

async function write(output: Output, text: string): Promise<void> {
  if (!output.write(text)) await new Promise<void>((resolve) => output.once('drain', resolve));
}

/** Under another name until it is whole. */
async function writeFile(path: string, task: (output: Output) => Promise<number>): Promise<number> {
  const draft = `${path}.partial`;
  const stream = createWriteStream(draft);
  const failed = once(stream, 'error').then(([error]) => Promise.reject(error as Error));
  try {
    const count = await Promise.race([task(stream), failed]);
    stream.end();
    await Promise.race([once(stream, 'finish'), failed]);
    await rename(draft, path);
    return count;
  } catch (error) {
    stream.destroy();
    await rm(draft, { force: true });
    if (error instanceof Error && 'syscall' in error) throw new CliError(`${path} cannot be written: ${error.message}`);
    throw error;
  }
}
