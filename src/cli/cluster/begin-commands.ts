import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { beginClusterLog } from '#engine';
import { keyCheckOf } from '../../kernel/organizations/index.ts';
import { type Config, createSealer } from '../../platform/index.ts';
import { CliError } from '../cli-error.ts';
import { enginePath, settingsOf, takeFolder } from '../data-folder.ts';
import { grouped } from '../progress.ts';
import { runAction } from '../run-action.ts';
import type { Terminal } from '../terminal.ts';
import { beginEntries } from './begin-entries.ts';

type Kind = Parameters<typeof beginClusterLog>[0]['kind'];

interface BeginOptions {
  readonly force?: boolean;
}

const READS =
  'Reads RELATA_CLUSTER_URL, RELATA_DATA_DIR, RELATA_MASTER_KEY and the settings beside them. No node may run.';

export function initCommand(terminal: Terminal): Command {
  return new Command('init')
    .summary('begin a cluster with the data of a single node, or of a backup')
    .description(
      'Begin the log of a cluster with the data folder of a single node, or of a restored backup. The folder becomes the ' +
        `first node's; other nodes start with empty folders. ${READS}`,
    )
    .option('--force', 'delete the log that the cluster has already')
    .action((options: BeginOptions) => runAction(terminal, () => begin(terminal, 'init', options)));
}

export function repairCommand(terminal: Terminal): Command {
  return new Command('repair')
    .summary("begin a new log with this node's data, when the log was lost or set back")
    .description(
      'Begin a new log of the cluster with the data of this node, when the NATS servers have lost the log or a part of it. ' +
        'Run it at the node that has the highest message: what the others have beyond it is lost. Tokens of revisions ' +
        `of the old log are refused then. ${READS}`,
    )
    .option('--force', 'also where the log goes on')
    .action((options: BeginOptions) => runAction(terminal, () => begin(terminal, 'repair', options)));
}

async function begin(terminal: Terminal, kind: Kind, { force = false }: BeginOptions): Promise<void> {
  const { nodeSettings, writerSettings } = await import('../../server/index.ts');
  const config = settingsOf(terminal);
  const settings = nodeSettings(config);
  if (settings === undefined) throw new CliError('RELATA_CLUSTER_URL is not set');
  if (!existsSync(enginePath(config.dataDir))) {
    throw new CliError(`RELATA_DATA_DIR: there are no data of a node in ${config.dataDir}`);
  }
  const lock = takeFolder(config.dataDir);
  try {
    await requireOwnKey(config);
    const { bytes, sequence } = await beginClusterLog({
      settings,
      path: enginePath(config.dataDir),
      drafts: join(config.dataDir, 'snapshot-draft'),
      kind,
      force,
      commands: await beginEntries(enginePath(config.dataDir), { kind, force }),
      writer: writerSettings(config),
      warn: (message) => terminal.err.write(`WARNING: ${message}\n`),
    });
    const from = kind === 'init' ? 'these data' : `these data, which have message ${grouped(sequence)} of the old log`;
    const others = kind === 'init' ? 'empty data folders' : 'the folders that they have, or empty ones';
    terminal.out.write(
      `The log of the cluster begins with ${from}: a snapshot of ${grouped(bytes)} bytes\n` +
        `Start this node with this folder, and the others with ${others}\n`,
    );
  } finally {
    lock.release();
  }
}

/** Another key would keep every other node from the log. */
async function requireOwnKey({ dataDir, masterKey }: Config): Promise<void> {
  const check = await keyCheckOf(enginePath(dataDir));
  if (check === undefined || masterKey === null || createSealer(masterKey).keyCheck === check) return;
  throw new CliError(
    'RELATA_MASTER_KEY is not the master key of these data: a single node keeps it in the file master-key of its data folder',
  );
}
