import { Command } from 'commander';
import { EngineError } from '#engine';
import { systemClock } from '../../platform/index.ts';
import { CliError } from '../cli-error.ts';
import { dataFolder, dataOption, settingsOf, withEngine } from '../data-folder.ts';
import { runAction } from '../run-action.ts';
import type { Terminal } from '../terminal.ts';

/** Where one of them is set, it says where the server is; else the server's last start does. */
const addressSettings = ['RELATA_BASE_URL', 'RELATA_HOST', 'RELATA_PORT'];

interface DemoOptions {
  readonly rotate?: boolean;
  readonly key?: boolean;
  readonly data?: string;
}

export function demoCommand(terminal: Terminal): Command {
  return new Command('demo-credentials')
    .summary("print the demonstration's API key and password again")
    .description(
      'Print the API key and the password of the demonstration organization again, with commands to try. The server can ' +
        'keep running, except with --rotate.',
    )
    .option('--rotate', 'create new credentials and revoke the old ones; stop the server first')
    .option('--key', 'print only the API key, for scripts')
    .option(...dataOption)
    .action((options: DemoOptions) => runAction(terminal, () => printCredentials(terminal, options)));
}

async function printCredentials(terminal: Terminal, options: DemoOptions): Promise<void> {
  const folder = dataFolder(terminal, options.data);
  const { demoLines, keptCredentials, keepCredentials, rotateCredentials } = await import('../../server/index.ts');
  if (options.rotate) {
    const made = await withEngine(folder, {}, (engine) => rotateCredentials(engine, systemClock)).catch(noDemo);
    keepCredentials(folder, { ...keptCredentials(folder), ...made });
  }
  const kept = keptCredentials(folder);
  if (kept === undefined) {
    throw new CliError(
      `${folder} has no credentials of a demonstration: start a server with a new folder (RELATA_DEMO=1), or create new credentials for an existing demonstration with --rotate`,
    );
  }
  if (options.key) return void terminal.out.write(`${kept.adminApiKey}\n`);
  const since = `Made at ${kept.madeAt}; if somebody has changed them since, --rotate makes new ones.`;
  const { baseUrl } = settingsOf(terminal);
  const isAddressSet = addressSettings.some((name) => terminal.environment[name] !== undefined);
  const lines = [...demoLines(kept, isAddressSet ? baseUrl : (kept.baseUrl ?? baseUrl)), since];
  terminal.out.write(lines.map((line) => `${line}\n`).join(''));
}

function noDemo(error: unknown): never {
  if (!(error instanceof EngineError) || error.code !== 'unknown_store') throw error;
  throw new CliError('there is no demonstration organization here');
}
