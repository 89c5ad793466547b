import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { verifyApart } from '#engine';
import { serviceVersion } from '../platform/index.ts';
import { auditCommand } from './audit/audit-command.ts';
import type { Verify } from './backup/backup.ts';
import { backupCommand, restoreCommand, verifyCommand } from './backup/backup-commands.ts';
import { EXIT } from './cli-error.ts';
import { dataFolder } from './data-folder.ts';
import { demoCommand } from './demo/demo-command.ts';
import { eventsCommand } from './events/events-command.ts';
import { listenCommand } from './events/listen-command.ts';
import { exportCommand } from './export/export-command.ts';
import { type ImportOptions, importFile } from './import/import.ts';
import { modelCommand } from './model/model-command.ts';
import { runAction } from './run-action.ts';
import type { LoadDescription } from './service-description.ts';
import { processTerminal, type Terminal } from './terminal.ts';

export interface ProgramDependencies {
  /** Runs the server until it is told to stop. */
  readonly serve: () => Promise<void>;
  readonly describe: LoadDescription;
  readonly terminal?: Terminal;
  /** The built entry of the process that looks through data; beside this file where omitted. */
  readonly verifier?: URL;
}

const EXIT_CODES = `
Exit codes: 0 done; 1 done, and the answer is no (a test failed, a verification found something);
2 the command, a setting or a file cannot be used; 3 another process uses the data folder or the port;
70 anything else (a full disk, damaged data).

Settings come from config/default.json and RELATA_* variables; src/docs/guides/settings.md has all of them.`;

/** The command line. `parse` sets the exit code and prints what went wrong; it does not end the process. */
export function buildProgram({
  serve,
  describe,
  terminal = processTerminal(),
  verifier,
}: ProgramDependencies): Program {
  // a reader such as `head`, which closes its end when it has seen enough, is no error, and no reason to stop a server
  terminal.out.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const program = new Command('relata')
    .description('Relationship-based authorization: server and tools for its data')
    .version(serviceVersion, '-V, --version', 'print the version')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.err.write(text),
    })
    .exitOverride();
  program
    .command('serve')
    .description('run the server')
    .action(() => runAction(terminal, serve));
  program.addCommand(demoCommand(terminal));
  program.addCommand(importCommand(terminal, describe));
  program.addCommand(exportCommand(terminal, describe));
  const verify: Verify = (path) => verifyApart(path, verifier === undefined ? {} : { entry: verifier });
  program.addCommand(backupCommand(terminal, verify));
  program.addCommand(restoreCommand(terminal, verify));
  program.addCommand(verifyCommand(terminal, verify, describe));
  program.addCommand(eventsCommand(terminal));
  program.addCommand(listenCommand(terminal, describe));
  program.addCommand(auditCommand(terminal));
  program.addCommand(modelCommand(terminal, describe));
  inherit(program, program.commands);
  return {
    async parse(argv) {
      try {
        await program.parseAsync([...argv], { from: 'user' });
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        terminal.setExitCode(error.exitCode === 0 ? EXIT.done : EXIT.unusable);
      }
    },
  };
}

export interface Program {
  /** `argv` without the names of Node.js and the script. */
  parse(argv: readonly string[]): Promise<void>;
}

/** Commander hands these settings to commands that it makes itself, and not to those that are added. */
function inherit(from: Command, commands: readonly Command[]): void {
  for (const command of commands) {
    command.copyInheritedSettings(from);
    inherit(command, command.commands);
  }
}

function importCommand(terminal: Terminal, describe: LoadDescription): Command {
  return new Command('import')
    .summary('read tuples from a file into a store')
    .description(
      'Read tuples into a data folder that no server uses: from a store file (.fga.yaml), from NDJSON, where a line ' +
        'is {"object","relation","subject"} or object#relation@subject, or from CSV, whose header names these columns ' +
        "or OpenFGA's. Tuples that are there already do no harm.",
    )
    .argument('<file>', 'the file, or - for standard input')
    .option('--org <name>', 'into this organization')
    .option('--store <name>', 'into this store, outside of any organization')
    .option('--create', 'make the organization if it is not there, and print its administration key')
    .option('--model <file>', 'write this model first: .fga, fga.mod or a store file')
    .addOption(new Option('--format <format>', 'instead of what the name tells').choices(['fga-yaml', 'ndjson', 'csv']))
    .option('--batch <tuples>', 'tuples in one commit; as many as memory allows by default', positive)
    .option('--resume', 'go on where an import of this file was interrupted')
    .option('--skip-invalid [file]', 'leave refused lines out, and write them to a file')
    .option('--errors <count>', 'how many refused lines are shown', positive, 20)
    .option('--data <folder>', 'the data folder (RELATA_DATA_DIR)')
    .action((file: string, options: ImportOptions & { readonly data?: string }) =>
      runAction(terminal, () =>
        importFile(terminal, dataFolder(terminal, options.data), file, { ...options, describe }),
      ),
    );
}

export function positive(text: string): number {
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isSafeInteger(value) || value < 1) throw new InvalidArgumentError('must be a whole number from 1');
  return value;
}
