import { Command, InvalidArgumentError, Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { dataFolder } from '../data-folder.ts';
import { runAction } from '../run-action.ts';
import type { LoadDescription } from '../service-description.ts';
import type { Terminal } from '../terminal.ts';
import { importFile } from './import.ts';
import type { ImportOptions } from './import-plan.ts';
import { importIntoService } from './service/import-into-service.ts';

interface CommandOptions extends ImportOptions {
  readonly url?: string;
  readonly key?: string;
  readonly data?: string;
}

/** `relata import`: into a data folder, or into a service that runs. */
export function importCommand(terminal: Terminal, describe: LoadDescription): Command {
  return new Command('import')
    .summary('read tuples from a file into a store')
    .description(
      'Read tuples into a data folder that no server uses, or with --url into a server that runs: from a store file ' +
        '(.fga.yaml), from NDJSON, where a line is {"object","relation","subject"} or object#relation@subject, or from ' +
        "CSV, whose header names these columns or OpenFGA's. Tuples that are there already do no harm.",
    )
    .argument('<file>', 'the file, or - for standard input')
    .option('--org <name>', 'into this organization')
    .option('--url <url>', 'through the server at this address: https://relata.example')
    .option('--key <key>', 'a key that may write tuples (RELATA_KEY, which other users of this machine do not see)')
    .option('--store <name>', 'into this store, outside of any organization')
    .option('--create', 'make the organization if it is not there, and print its administration key')
    .option('--model <file>', 'write this model first: .fga, fga.mod or a store file')
    .addOption(new Option('--format <format>', 'instead of what the name tells').choices(['fga-yaml', 'ndjson', 'csv']))
    .option(
      '--batch <tuples>',
      'tuples in one commit; as many as memory allows by default, 1,000 in a request to a server',
      positive,
    )
    .option('--resume', 'go on where an import of this file was interrupted')
    .option('--skip-invalid [file]', 'leave refused lines out, and write them to a file')
    .option('--errors <count>', 'how many refused lines are shown', positive, 20)
    .option('--data <folder>', 'the data folder (RELATA_DATA_DIR)')
    .action((file: string, options: CommandOptions) =>
      runAction(terminal, () => {
        const { url } = options;
        if (url !== undefined) return importIntoService(terminal, file, { ...options, url });
        if (options.key !== undefined) throw new CliError('--key is for a server: give --url');
        return importFile(terminal, dataFolder(terminal, options.data), file, { ...options, describe });
      }),
    );
}

function positive(text: string): number {
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number from 1');
  return value;
}
