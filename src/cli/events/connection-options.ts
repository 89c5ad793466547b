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
    .option('--url <url>', 'the address of the service', 'http://localhost:8080')
    .requiredOption('--org <slug>', 'the organization')
    .option('--key <key>', 'an API key that may read the audit log; prefer RELATA_KEY, which other users cannot see')
    .option('--types <names>', 'only these types of events, comma-separated');
}

export function typesOf({ types }: ConnectionOptions): ReadonlySet<string> {
  return new Set((types ?? '').split(',').flatMap((each) => each.trim() || []));
}
