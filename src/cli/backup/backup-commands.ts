import { join } from 'node:path';
import { Command } from 'commander';
import { keyFiles } from '../../platform/index.ts';
import { EXIT } from '../cli-error.ts';
import { dataFolder, dataOption, enginePath, settingsOf } from '../data-folder.ts';
import { counted, grouped } from '../progress.ts';
import { runAction } from '../run-action.ts';
import type { LoadDescription } from '../service-description.ts';
import type { Terminal } from '../terminal.ts';
import { passphrase } from './ask-passphrase.ts';
import { backup, usable, type Verify } from './backup.ts';
import { type KeySources, keyPlan, masterKeyOf, sealedKeyFile, sealedMasterKey } from './master-key.ts';
import { findMisfits, type Misfits } from './misfits.ts';
import { restore } from './restore.ts';

interface DataOption {
  readonly data?: string;
}

interface PassphraseOption {
  /** Of a file with the passphrase. */
  readonly passphraseFile?: string;
}

const passphraseOption = [
  '--passphrase-file <file>',
  'a file with the passphrase (default: RELATA_BACKUP_PASSPHRASE, or asked for)',
] as const;

export function backupCommand(terminal: Terminal, verify: Verify): Command {
  return new Command('backup')
    .summary('copy all stores into a new folder')
    .description(
      'Copy all stores, as they are at one moment, into a new folder. The server can keep running. The copy contains the ' +
        'master key only with --with-key, sealed with a passphrase.',
    )
    .argument('<folder>', 'the folder to write to, new or empty')
    .option('--with-key', 'add the master key, sealed with a passphrase')
    .option(...passphraseOption)
    .option(...dataOption)
    .action((folder: string, options: DataOption & PassphraseOption & { readonly withKey?: boolean }) =>
      runAction(terminal, async () => {
        const sources = keySources(terminal, options);
        const ask = () => passphrase(terminal, options.passphraseFile, { isNew: true });
        const sealKey = options.withKey ? () => sealedMasterKey(sources, ask) : undefined;
        const { bytes, report } = await backup(verify, sources.dataFolder, folder, sealKey);
        terminal.out.write(
          `${counted(report.tuples, 'tuple')} of ${counted(report.stores, 'store')} at revision ${report.revision} backed up, ${grouped(bytes)} bytes\n`,
        );
        if (sealKey !== undefined) {
          terminal.out.write(`The master key is in ${join(folder, sealedKeyFile)}; only the passphrase unlocks it\n`);
        } else if (masterKeyOf(sources) !== undefined) terminal.err.write(withoutKeyText(sources));
      }),
    );
}

function keySources(terminal: Terminal, options: DataOption): KeySources {
  return { dataFolder: dataFolder(terminal, options.data), given: settingsOf(terminal).masterKey };
}

function withoutKeyText({ dataFolder: folder, given }: KeySources): string {
  const keyAt = given === null ? join(folder, keyFiles.master) : 'RELATA_MASTER_KEY';
  return (
    `WARNING: THE MASTER KEY IS NOT IN THIS BACKUP. Without it, the service cannot start with the restored data.\n` +
    `Keep a copy of ${keyAt} in another safe place, or use --with-key.\n`
  );
}

export function restoreCommand(terminal: Terminal, verify: Verify): Command {
  return new Command('restore')
    .summary('restore a backup into the data folder')
    .description(
      'Verify a backup, and restore it into the data folder. This needs the master key that the data was encrypted with: ' +
        'in RELATA_MASTER_KEY, in the data folder, or sealed in the backup.',
    )
    .argument('<folder>', 'the folder of the backup')
    .option('--force', 'replace existing data; the old data is kept next to it')
    .option(...passphraseOption)
    .option(
      '--without-key',
      'restore without the master key: data can be exported, but the service cannot start with it',
    )
    .option(...dataOption)
    .action(
      (
        folder: string,
        options: DataOption & PassphraseOption & { readonly force?: boolean; readonly withoutKey?: boolean },
      ) =>
        runAction(terminal, async () => {
          const sources = keySources(terminal, options);
          const ask = () => passphrase(terminal, options.passphraseFile, { isNew: false });
          const { report, kept, key } = await restore(verify, folder, sources.dataFolder, {
            force: options.force ?? false,
            planKey: () => keyPlan(folder, sources, { withoutKey: options.withoutKey ?? false, ask }),
          });
          const before = kept === undefined ? '' : `; the old data is in ${kept}`;
          terminal.out.write(
            `${counted(report.tuples, 'tuple')} of ${counted(report.stores, 'store')} restored at revision ${report.revision}${before}\n`,
          );
          if (key === 'write') {
            terminal.out.write(`The master key is in ${join(sources.dataFolder, keyFiles.master)}\n`);
          } else if (key === 'missing') {
            terminal.err.write(
              'WARNING: without its master key, the service cannot start with this data. You can read its tuples with relata export.\n',
            );
          }
        }),
    );
}

export function verifyCommand(terminal: Terminal, verify: Verify, describe: LoadDescription): Command {
  return new Command('verify')
    .summary('check that the data is intact')
    .description(
      'Compare everything that is stored twice: indexes, counts, names, record keys and the change log. Then check each ' +
        'record against the schema of its kind. For a record that does not match, only field and rule are printed.',
    )
    .argument('[folder]', 'a backup (default: the data folder)')
    .option(...dataOption)
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
  if (found === undefined) return ['records were not checked against their schemas, because the pages are damaged'];
  const { shown, records, collections } = found;
  if (shown.length === 0) return [];
  const counts = `${counted(records, 'record')} that do not match, ${counted(collections, 'collection')} of unknown kind`;
  return [...shown, `${counts}: this is not damage: everything can be read, and backups keep it`];
}
