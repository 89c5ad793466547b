import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { type LogReport, proveLogs } from '../../audit/index.ts';
import { keyFiles, readSecret } from '../../platform/index.ts';
import { usable } from '../backup/backup.ts';
import { CliError, EXIT } from '../cli-error.ts';
import { dataFolder, enginePath, settingsOf } from '../data-folder.ts';
import { grouped } from '../progress.ts';
import { runAction } from '../run-action.ts';
import type { Terminal } from '../terminal.ts';

interface VerifyOptions {
  readonly org?: string;
  readonly head?: Head;
  readonly json?: boolean;
  readonly data?: string;
}

interface Head {
  readonly sequence: number;
  readonly link: Buffer;
}

export function auditCommand(terminal: Terminal): Command {
  return new Command('audit').description('tools for audit logs').addCommand(verifyCommand(terminal));
}

function verifyCommand(terminal: Terminal): Command {
  return new Command('verify')
    .summary('prove that audit logs are complete and unchanged')
    .description(
      'Prove that no entry in an audit log was changed, removed or inserted. The server can keep running. ' +
        'To find out whether entries were removed from the end, compare with a head that you noted earlier. Needs the master key.',
    )
    .argument('[folder]', 'a backup (default: the data folder)')
    .option('--org <name>', 'only this organization (default: all)')
    .option('--head <sequence:link>', 'a head that this command printed earlier; needs --org', readHead)
    .option('--json', 'print a JSON array')
    .option('--data <folder>', 'the data folder (RELATA_DATA_DIR), which also contains a generated master key')
    .action((folder: string | undefined, options: VerifyOptions) =>
      runAction(terminal, () => verify(terminal, folder, options)),
    );
}

async function verify(terminal: Terminal, folder: string | undefined, options: VerifyOptions): Promise<void> {
  const { org: organization, head: noted, json } = options;
  if (noted !== undefined && organization === undefined) throw new CliError('--head needs --org');
  const data = dataFolder(terminal, options.data);
  const path = folder ?? enginePath(data);
  const masterKey = masterKeyOf(terminal, data);
  const reports = await usable(() => proveLogs({ path, masterKey, organization, noted }));
  if (organization !== undefined && reports.length === 0)
    throw new CliError(`there is no organization ${organization}`);
  terminal.out.write(json ? `${JSON.stringify(reports, null, 2)}\n` : reports.map(line).join(''));
  if (reports.some((report) => report.break !== undefined)) terminal.setExitCode(EXIT.negative);
}

/** One line: `acme: 12 entries are whole, head 12:...`. */
function line({ organization, entries, from, head, break: found }: LogReport): string {
  if (found !== undefined) {
    const entry = found.entry === undefined ? '' : ` (entry ${found.entry})`;
    return `${organization}: broken at ${found.sequence}${entry}: ${found.reason}\n`;
  }
  const since = from === 0 ? '' : ` after ${from}`;
  return `${organization}: ${grouped(entries)} ${entries === 1 ? 'entry is' : 'entries are'} whole${since}, head ${head.sequence}:${head.link}\n`;
}

const headText = /^(\d{1,15}):([\w-]{43})$/;

function readHead(text: string): Head {
  const [, sequence, link] = headText.exec(text) ?? [];
  if (sequence === undefined || link === undefined) {
    throw new InvalidArgumentError('must be what this command prints after "head"');
  }
  return { sequence: Number(sequence), link: Buffer.from(link, 'base64url') };
}

function masterKeyOf(terminal: Terminal, data: string): string {
  const kept = join(data, keyFiles.master);
  const key = settingsOf(terminal).masterKey ?? readSecret(kept);
  if (key === undefined) throw new CliError(`the master key is neither in RELATA_MASTER_KEY nor in ${kept}`);
  return key;
}
