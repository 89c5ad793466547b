import { CliError } from '../../cli-error.ts';
import { connectionOf } from '../../connection/connection.ts';
import { ServiceClient } from '../../connection/service-client.ts';
import { counted, grouped, Progress } from '../../progress.ts';
import type { Terminal } from '../../terminal.ts';
import { type ImportOptions, NOTHING_READ, openRefused, readPlan, readSources } from '../import-plan.ts';
import { Refusals } from '../refusals.ts';
import { writeServiceModel } from './service-model.ts';
import { ServiceRun } from './service-run.ts';
import type { TupleWriter } from './tuple-writer.ts';

export interface ServiceImportOptions extends ImportOptions {
  readonly url: string;
  readonly key?: string;
  readonly data?: string;
}

/** As many as a service takes in one request, unless it is set otherwise. */
const BATCH = 1000;

/** Options that mean a data folder, and what to do instead. */
const FOLDER_OPTIONS = {
  store: 'a service has organizations alone: give --org',
  create: 'the platform key makes organizations: POST /platform/api/v1/orgs',
  resume: 'tuples that are there already do no harm: run the import again without it',
  data: 'the service has its own data folder',
} as const satisfies Partial<Record<keyof ServiceImportOptions, string>>;

/** `relata import FILE --url URL`: reads tuples as a stream, and writes them through a service that runs. */
export async function importIntoService(
  terminal: Terminal,
  file: string,
  options: ServiceImportOptions,
): Promise<void> {
  for (const [name, reason] of Object.entries(FOLDER_OPTIONS)) {
    if (options[name as keyof typeof FOLDER_OPTIONS] === undefined) continue;
    throw new CliError(`--${name} cannot be used with --url: ${reason}`);
  }
  const { url, org, key } = options;
  if (org === undefined) throw new CliError('add --org NAME: the organization that the key belongs to');
  const connection = connectionOf(terminal, { url, org, ...(key === undefined ? {} : { key }) });
  const plan = await readPlan(terminal, file, options);
  const progress = new Progress(terminal.err, { label: plan.name, unit: 'tuples', total: plan.bytes });
  const client = new ServiceClient(connection, {
    waiting(reason) {
      progress.end();
      terminal.err.write(`relata: ${reason}\n`);
    },
  });
  if (plan.model !== undefined) await writeServiceModel(terminal, client, plan.model);
  const refused = await openRefused(plan, options, 0);
  const refusals = new Refusals({ errors: terminal.err, progress, errorsMax: options.errors, file: refused });
  const batch = options.batch ?? BATCH;
  const run = new ServiceRun({ client, progress, refusals, batch, leavesOut: refused !== undefined });
  try {
    await run.finish(() => readSources(plan, run, { source: 0, position: NOTHING_READ }, batch));
  } catch (error) {
    progress.end();
    const { count } = run.writer;
    if (count > 0 && !refusals.isFinal) terminal.err.write(`${counted(count, 'tuple')} imported until then\n`);
    throw error;
  } finally {
    progress.end();
    refused?.close();
  }
  terminal.out.write(`${summary(run.writer, progress.seconds)}\n`);
  if (refusals.count > 0) terminal.out.write(`${grouped(refusals.count)} refused, in ${refused?.path}\n`);
}

function summary({ count, revision }: TupleWriter, seconds: number): string {
  const at = revision === undefined ? '' : `, revision ${revision}`;
  return `${counted(count, 'tuple')} imported in ${seconds.toFixed(1)} s (${grouped(count / seconds)}/s)${at}`;
}
