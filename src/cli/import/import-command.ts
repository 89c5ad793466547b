import { Command, InvalidArgumentError, Option } from 'commander';
import { CliError } from '../cli-error.ts';
import { dataFolder, dataOption } from '../data-folder.ts';
import { runAction } from '../run-action.ts';
import type { LoadDescription } from '../service-description.ts';
import type { Terminal } from '../terminal.ts';
import { importFile } from './import.ts';
import { importIntoService, type ServiceImportOptions } from './service/import-into-service.ts';

type CommandOptions = Omit<ServiceImportOptions, 'url'> & { readonly url?: string };

/** `relata import`: into a data folder, or into a service that runs. */
export function importCommand(terminal: Terminal, describe: LoadDescription): Command {
  return new Command('import')
    .summary('import tuples from a file')
    .description(
      'Import tuples into a running server (--url), or into a data folder that no server uses. The file is a store file ' +
        '(.fga.yaml), NDJSON with lines of {"object","relation","subject"} or object#relation@subject, or CSV with a ' +
        "header of these columns or OpenFGA's. Tuples that exist already are left as they are.",
    )
    .argument('<file>', 'the file, or - for standard input')
    .option('--org <name>', 'import into this organization')
    .option('--url <url>', 'import through the running server at this address, such as https://relata.example')
    .option('--key <key>', 'an API key that may write tuples; prefer RELATA_KEY, which other users cannot see')
    .option('--store <name>', 'import into this store, outside any organization')
    .option('--create', 'create the organization if it does not exist, and print its administrator key')
    .option('--model <file>', 'write this model first: .fga, fga.mod or a store file')
    .addOption(
      new Option('--format <format>', 'the format, if the file name does not tell it').choices([
        'fga-yaml',
        'ndjson',
        'csv',
      ]),
    )
    .option(
      '--batch <tuples>',
      'tuples per commit (default: as many as memory allows), or per request to a server (default: 1,000)',
      positive,
    )
    .option('--resume', 'continue an interrupted import of this file')
    .option('--skip-invalid [file]', 'leave out refused lines, and write them to a file')
    .option('--errors <count>', 'how many refused lines to show', positive, 20)
    .option(...dataOption)
    .action((file: string, options: CommandOptions) =>
      runAction(terminal, () => {
        const { url } = options;
        if (url !== undefined) return importIntoService(terminal, file, { ...options, url });
        if (options.key !== undefined) throw new CliError('--key is only for a server: add --url');
        return importFile(terminal, dataFolder(terminal, options.data), file, { ...options, describe });
      }),
    );
}

function positive(text: string): number {
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number from 1');
  return value;
}
