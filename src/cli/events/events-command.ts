import { Command } from 'commander';
import { connectionOf } from '../connection/connection.ts';
import { TextOutput } from '../export/text-output.ts';
import { runAction } from '../run-action.ts';
import type { Terminal } from '../terminal.ts';
import { EventSource, type ToldEvent } from './event-source.ts';
import { type ConnectionOptions, followEvents, typesOf, withConnection } from './follow-events.ts';

interface EventsOptions extends ConnectionOptions {
  readonly after?: string;
  readonly follow?: boolean;
}

/** `relata events`: what happened in an organization of a service that runs, as lines of JSON. */
export function eventsCommand(terminal: Terminal): Command {
  return withConnection(new Command('events'))
    .summary('print the events of an organization')
    .description('Print the events of an organization of a running service, one line of JSON each.')
    .option('--after <cursor>', 'only events after this one')
    .option('--follow', 'keep printing new events')
    .action((options: EventsOptions) => runAction(terminal, () => printEvents(terminal, options)));
}

async function printEvents(terminal: Terminal, options: EventsOptions): Promise<void> {
  const source = new EventSource(connectionOf(terminal, options), options.after);
  const types = typesOf(options);
  const output = new TextOutput(terminal.out);
  /** Answers false where nobody reads any more. */
  const print = async (event: ToldEvent): Promise<boolean> =>
    (types.size > 0 && !types.has(event.type)) || (await output.write(`${JSON.stringify(event)}\n`));
  for await (const event of source.kept()) if (!(await print(event))) return output.check();
  if (options.follow !== true) return;
  await followEvents(terminal, source, print);
  output.check();
}
