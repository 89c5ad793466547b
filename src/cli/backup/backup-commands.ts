import { Command } from 'commander';
import { EXIT } from '../cli-error.ts';
import { dataFolder, enginePath } from '../data-folder.ts';
import { counted, grouped } from '../progress.ts';
import { runAction } from '../run-action.ts';
import type { LoadDescription } from '../service-description.ts';
import type { Terminal } from '../terminal.ts';
import { backup, usable, type Verify } from './backup.ts';
import { findMisfits, type Misfits } from './misfits.ts';
import { restore } from './restore.ts';

interface DataOption {
  readonly data?: string;
}

const DATA = '--data <folder>';
const DATA_HELP = 'the data folder (RELATA_DATA_DIR)';

export function backupCommand(terminal: Terminal, verify: Verify): Command {
  return new Command('backup')
    .summary('copy all stores into a new folder')
    .description('Write a copy of all stores at one moment into a new folder; a server may go on working meanwhile.')
    .argument('<folder>', 'the folder to write; it must be absent or empty')
    .option(DATA, DATA_HELP)
    .action((folder: string, options: DataOption) =>
      runAction(terminal, async () => {
        const { bytes, report } = await backup(verify, dataFolder(terminal, options.data), folder);
        terminal.out.write(
          `${counted(report.tuples, 'tuple')} of ${counted(report.stores, 'store')} at revision ${report.revision} backed up, ${grouped(bytes)} bytes\n`,
        );
      }),
    );
}

export function restoreCommand(terminal: Terminal, verify: Verify): Command {
  return new Command('restore')
    .summary('put a backup in place of the data folder')
    .description('Put a backup in the place of the data folder, after looking through it.')
    .argument('<folder>', 'a folder that backup wrote')
    .option('--force', 'also where there is data; what was there is kept beside it')
    .option(DATA, DATA_HELP)
    .action((folder: string, options: DataOption & { readonly force?: boolean }) =>
      runAction(terminal, async () => {
        const { report, kept } = await restore(
          verify,
          folder,
          dataFolder(terminal, options.data),
          options.force ?? false,
        );
        const before = kept === undefined ? '' : `; what was there is in ${kept}`;
        terminal.out.write(
          `${counted(report.tuples, 'tuple')} of ${counted(report.stores, 'store')} restored at revision ${report.revision}${before}\n`,
        );
      }),
    );
}

export function verifyCommand(terminal: Terminal, verify: Verify, describe: LoadDescription): Command {
  return new Command('verify')
    .summary('compare all that is stored twice, and hold records to their kinds')
    .description(
      'Compare all that is stored twice: indexes, counts, names, record keys and the change log. Then hold each record ' +
        'to what records of its kind contain; of one that does not fit, only the member and the rule are printed.',
    )
    .argument('[folder]', 'a backup; the data folder without it')
    .option(DATA, DATA_HELP)
    .action((folder: string | undefined, options: DataOption) =>
      runAction(terminal, async () => {
        const path = folder ?? enginePath(dataFolder(terminal, options.data));
        const report = await usable(() => verify(path));
        for (const problem of report.problems) terminal.out.write(`${problem}\n`);
        if (report.advice !== undefined) terminal.out.write(`${report.advice}\n`);
        const { stores, tuples, records, commits, revision, problemCount } = report;
        terminal.out.write(
          `${counted(stores, 'store')}, ${counted(tuples, 'tuple')}, ${counted(records, 'record')}, ${counted(commits, 'commit')} kept, revision ${revision}: ${counted(problemCount, 'problem')}\n`,
        );
        const found = report.isDamaged ? undefined : await findMisfits(path, (await describe()).records);
        for (const line of misfitLines(found)) terminal.out.write(`${line}\n`);
        const misfits = found === undefined ? 0 : found.records + found.collections;
        if (problemCount + misfits > 0) terminal.setExitCode(EXIT.negative);
      }),
    );
}

/** Nothing where all records fit. */
function misfitLines(found: Misfits | undefined): readonly string[] {
  if (found === undefined) return ['records were not held to their kinds, because the pages are damaged'];
  const { shown, records, collections } = found;
  if (shown.length === 0) return [];
  const counts = `${counted(records, 'record')} that do not fit, ${counted(collections, 'collection')} of no known kind`;
  return [...shown, `${counts}: this is no damage, all of it can be read and is kept in a backup`];
}
