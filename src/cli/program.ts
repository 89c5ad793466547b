import { Command, CommanderError } from 'commander';
import { verifyApart } from '#engine';
import { serviceVersion } from '../platform/index.ts';
import { auditCommand } from './audit/audit-command.ts';
import type { Verify } from './backup/backup.ts';
import { backupCommand, restoreCommand, verifyCommand } from './backup/backup-commands.ts';
import { EXIT } from './cli-error.ts';
import { clusterCommand } from './cluster/cluster-command.ts';
import { demoCommand } from './demo/demo-command.ts';
import { eventsCommand } from './events/events-command.ts';
import { listenCommand } from './events/listen-command.ts';
import { exportCommand } from './export/export-command.ts';
import { importCommand } from './import/import-command.ts';
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
Exit codes:
  0   done
  1   done, but something was found (a failed test, a problem in the data)
  2   the command, a setting or a file is not usable
  3   another process uses the data folder or the port
  70  anything else (a full disk, damaged data)

Settings are RELATA_* environment variables: see src/docs/guides/settings.md.`;

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
    .description('Relationship-based authorization: the server, and tools for its data')
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
  program.addCommand(clusterCommand(terminal));
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
