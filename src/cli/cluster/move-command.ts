import { hostname } from 'node:os';
import { Command } from 'commander';
import { moveInCluster } from '#engine';
import { storeOf } from '../../kernel/organizations/index.ts';
import { CliError } from '../cli-error.ts';
import { settingsOf } from '../data-folder.ts';
import { runAction } from '../run-action.ts';
import type { Terminal } from '../terminal.ts';

export function moveCommand(terminal: Terminal): Command {
  return new Command('move')
    .summary('send the changes of an organization to another stream')
    .description(
      'Send the changes of an organization to another of the streams that RELATA_CLUSTER_STREAMS says: 0 is the log itself. A ' +
        'node that runs does it. Requests go on meanwhile. Reads RELATA_CLUSTER_URL and the settings beside it.',
    )
    .argument('<organization>', 'its slug')
    .argument('<stream>', 'a number from 0 on')
    .action((organization: string, stream: string) => runAction(terminal, () => move(terminal, organization, stream)));
}

async function move(terminal: Terminal, organization: string, text: string): Promise<void> {
  if (!/^\d{1,2}$/.test(text)) throw new CliError('the stream must be a number from 0 on');
  const { streamSettings } = await import('../../server/index.ts');
  const settings = streamSettings(settingsOf(terminal), '');
  if (settings === undefined) throw new CliError('RELATA_CLUSTER_URL is not set');
  await moveInCluster(settings, { store: storeOf(organization), stream: Number(text), host: hostname() });
  terminal.out.write(`The changes of ${organization} go to stream ${Number(text)} from now on\n`);
}
