import type { Command } from 'commander';

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

export function typesOf({ types }: ConnectionOptions): ReadonlySet<string> {
  return new Set((types ?? '').split(',').flatMap((each) => each.trim() || []));
}
