import type { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import type { EventSource, ToldEvent } from './event-source.ts';

/** Options of commands that ask a service that runs. */
export interface ConnectionOptions {
  readonly url: string;
  readonly org: string;
  readonly key?: string;
  readonly types?: string;
}

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

const END_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Hands on what happens until the command is told to end.
 * @param take answers false where nothing more is wanted
 */
export async function followEvents(
  terminal: Terminal,
  source: EventSource,
  take: (event: ToldEvent) => Promise<boolean>,
): Promise<void> {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  const lost = (reason: string) => void terminal.err.write(`relata: ${reason}; trying again\n`);
  for (const signal of END_SIGNALS) process.once(signal, end);
  try {
    for await (const event of source.live(controller.signal, lost)) if (!(await take(event))) return;
  } finally {
    for (const signal of END_SIGNALS) process.off(signal, end);
  }
}
