import type { Command } from 'commander';
import { CliError } from '../cli-error.ts';
import type { Terminal } from '../terminal.ts';
import type { Connection } from './event-source.ts';

export interface ConnectionOptions {
  readonly url: string;
  readonly org: string;
  readonly key?: string;
  readonly types?: string;
}

/** Options of commands that ask a service that runs. */
export function withConnection(command: Command): Command {
  return command
    .option('--url <url>', 'where the service is', 'http://localhost:8080')
    .requiredOption('--org <slug>', 'the organization')
    .option(
      '--key <key>',
      'a key that may read the audit log (RELATA_KEY, which other users of this machine do not see)',
    )
    .option('--types <names>', 'only these types of events, separated by commas');
}

/** @throws CliError where something is missing */
export function connectionOf(terminal: Terminal, { url, org, key }: ConnectionOptions): Connection {
  const used = key ?? terminal.environment.RELATA_KEY;
  if (used === undefined || used === '') throw new CliError('give a key: --key KEY, or RELATA_KEY in the environment');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw new CliError('--url: must be an http URL');
  return { url: url.replace(/\/+$/, ''), org, key: used };
}

export function typesOf({ types }: ConnectionOptions): ReadonlySet<string> {
  return new Set((types ?? '').split(',').flatMap((each) => each.trim() || []));
}
