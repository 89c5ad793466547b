import { isDeepStrictEqual } from 'node:util';
import type { ModelSource } from '#engine';
import { CliError } from '../../cli-error.ts';
import { faultsOf, type ServiceAnswer, type ServiceClient } from '../../connection/service-client.ts';
import { issueText } from '../../store-file/read-model.ts';
import { writtenText } from '../../target.ts';
import type { Terminal } from '../../terminal.ts';

/** What `POST /zanzibar/models` answers. */
interface WrittenModel {
  readonly id: string;
  readonly orphans: { readonly count: number; readonly samples: readonly string[] };
  readonly warnings: readonly { readonly path: string; readonly message: string }[];
}

/**
 * Makes a model the latest of the organization, unless it is.
 * @throws CliError with the path of the first fault
 */
export async function writeServiceModel(
  terminal: Terminal,
  client: ServiceClient,
  { source, path }: { readonly source: ModelSource; readonly path: string },
): Promise<void> {
  const latest = await latestModel(client);
  if (latest !== undefined && isDeepStrictEqual(latest.source, source)) {
    terminal.out.write(`model ${latest.id} is unchanged\n`);
    return;
  }
  const answer = await client.call('POST', '/zanzibar/models', JSON.stringify(source));
  if (answer.status !== 201) throw new CliError(refusalOf(client, answer, path));
  const { id, orphans, warnings } = answer.body as unknown as WrittenModel;
  for (const { path: at, message } of warnings) terminal.err.write(`${inFile(path, at)}: ${message}\n`);
  terminal.out.write(`${writtenText(id, orphans)}\n`);
}

async function latestModel(
  client: ServiceClient,
): Promise<{ readonly id: string; readonly source: unknown } | undefined> {
  const list = await client.call('GET', '/zanzibar/models?limit=1');
  if (list.status !== 200) throw new CliError(client.refusal(list));
  const [found] = list.body.data as readonly { readonly id: string }[];
  if (found === undefined) return undefined;
  const one = await client.call('GET', `/zanzibar/models/${encodeURIComponent(found.id)}`);
  if (one.status !== 200) throw new CliError(client.refusal(one));
  const { dsl, modules } = one.body;
  return { id: found.id, source: dsl === undefined ? { modules } : { dsl } };
}

/** `model.fga:5:12: there is no type nobody (and 2 more)`. */
function refusalOf(client: ServiceClient, answer: ServiceAnswer, path: string): string {
  const [first, ...others] = faultsOf(answer);
  if (first === undefined || answer.status !== 400) return client.refusal(answer);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${inFile(path, first.path)}: ${first.message}${more}`;
}

/** `dsl:5:12` of the service as a position in the file: `model.fga:5:12`. */
function inFile(path: string, at: string): string {
  const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(at) ?? [];
  if (file === undefined) return `${path}: ${at}`;
  const issue = { message: '', line: Number(line), column: Number(column), ...(file === 'dsl' ? {} : { file }) };
  return issueText(path, issue).replace(/: $/, '');
}
