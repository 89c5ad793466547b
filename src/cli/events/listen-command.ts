import { Command, Option } from 'commander';
import { deliveryId } from '../../delivery/dispatch/index.ts';
import { mintSecret, signatureHeaders, webhookForms } from '../../delivery/webhooks/index.ts';
import { type Catalog, catalogs, EventTypes } from '../../kernel/events/index.ts';
import { CliError } from '../cli-error.ts';
import { connectionOf } from '../connection/connection.ts';
import { runAction } from '../run-action.ts';
import type { LoadDescription } from '../service-description.ts';
import type { Terminal } from '../terminal.ts';
import { EventSource, type ToldEvent } from './event-source.ts';
import { type ConnectionOptions, followEvents, typesOf, withConnection } from './follow-events.ts';

interface ListenOptions extends ConnectionOptions {
  readonly forwardTo: string;
  readonly form: Catalog;
  readonly secret?: string;
  readonly after?: string;
}

const SECRET_MIN = 8;
const TIMEOUT_MS = 30_000;

/** `relata listen`: an organization's events for a program on this machine, as its webhook would get them. */
export function listenCommand(terminal: Terminal, describe: LoadDescription): Command {
  return withConnection(new Command('listen'))
    .summary('forward the events of an organization to a program on this machine')
    .description(
      'Forward new events of an organization to a program on this machine, signed like the deliveries of a webhook. ' +
        'Each event is sent once, whatever the answer. If the connection is lost, the command reconnects and continues.',
    )
    .requiredOption('--forward-to <url>', 'the address of the program, such as http://localhost:3000/hook')
    .addOption(
      new Option('--form <form>', 'the format of webhook: a (org family), b (tenant family) or c (the third format)')
        .choices(catalogs)
        .default('a'),
    )
    .option('--secret <secret>', 'the secret to sign with (default: a new one)')
    .option('--after <cursor>', 'start after this event instead of now')
    .action((options: ListenOptions) => runAction(terminal, () => listen(terminal, options, describe)));
}

async function listen(terminal: Terminal, options: ListenOptions, describe: LoadDescription): Promise<void> {
  const { forwardTo, form, secret = mintSecret(), org } = options;
  if (!URL.canParse(forwardTo) || !/^https?:$/.test(new URL(forwardTo).protocol)) {
    throw new CliError('--forward-to: must be an http URL');
  }
  if (secret.length < SECRET_MIN) throw new CliError(`--secret: must have at least ${SECRET_MIN} characters`);
  const source = new EventSource(connectionOf(terminal, options), options.after);
  const types = typesOf(options);
  const eventTypes = new EventTypes((await describe()).events);
  const unknown = [...types].find((each) => !eventTypes.namesIn(form).includes(each));
  if (unknown !== undefined) throw new CliError(`--types: webhooks of form ${form} have no event ${unknown}`);
  const organization = { id: await source.organizationId(), slug: org };
  await source.beginNow();
  terminal.err.write(`Events of ${org} go to ${forwardTo}. They are signed with the secret ${secret}\n`);
  await followEvents(terminal, source, async (told) => {
    const event = { ...told, createdAt: Date.parse(told.createdAt) };
    const payload = eventTypes.payload(form, organization, event) as { readonly type: string } | undefined;
    if (payload === undefined || (types.size > 0 && !types.has(payload.type))) return true;
    const outcome = await forward(options, secret, told, payload);
    terminal.out.write(`${told.createdAt} ${payload.type} ${told.id} ${outcome}\n`);
    return true;
  });
}

/** One attempt. Answers its outcome in words. */
async function forward(
  { forwardTo, form, org }: ListenOptions,
  secret: string,
  { id: eventId, createdAt }: ToldEvent,
  payload: { readonly type: string },
): Promise<string> {
  const body = JSON.stringify(payload);
  const message = {
    eventId,
    deliveryId: deliveryId(`listen:${org}`, { id: eventId, createdAt: Date.parse(createdAt) }),
    type: payload.type,
    body,
    sentAt: Date.now(),
  };
  const headers = signatureHeaders(webhookForms[form], message, [{ text: secret }]);
  try {
    const answer = await fetch(forwardTo, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return String(answer.status);
  } catch (error) {
    const { message: reason, cause } = error as Error & { readonly cause?: Error };
    return `failed: ${cause?.message ?? reason}`;
  }
}
