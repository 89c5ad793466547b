import { hostname } from 'node:os';
import { Command } from 'commander';
import { type ClusterStatus, clusterStatus, EngineError, moveInCluster, type StreamWay } from '#engine';
import { storeOf } from '../../kernel/organizations/index.ts';
import { CliError, EXIT } from '../cli-error.ts';
import { settingsOf } from '../data-folder.ts';
import { grouped } from '../progress.ts';
import { runAction } from '../run-action.ts';
import type { Terminal } from '../terminal.ts';
import { initCommand, repairCommand } from './begin-commands.ts';

interface StatusOptions {
  readonly json?: boolean;
}

export function clusterCommand(terminal: Terminal): Command {
  return new Command('cluster')
    .description('tools for nodes that share a log')
    .addCommand(statusCommand(terminal))
    .addCommand(moveCommand(terminal))
    .addCommand(initCommand(terminal))
    .addCommand(repairCommand(terminal));
}

function statusCommand(terminal: Terminal): Command {
  return new Command('status')
    .summary('show the log that the nodes share, and how far each node has come')
    .description(
      'Show the log that the nodes of a cluster share, the NATS servers that keep it, and how far each node has come. ' +
        'Reads RELATA_CLUSTER_URL and the settings beside it. Exits with code 1 if a server or a node is not up to ' +
        'date, or does not answer.',
    )
    .option('--json', 'print a JSON object')
    .action((options: StatusOptions) => runAction(terminal, () => show(terminal, options)));
}

async function show(terminal: Terminal, { json }: StatusOptions): Promise<void> {
  const status = await clusterStatus(await streamOf(terminal));
  terminal.out.write(json ? `${JSON.stringify(status, null, 2)}\n` : textOf(status));
  if (!isWell(status)) terminal.setExitCode(EXIT.negative);
}

function isWell({ stream, beside, isComplete, nodes, absent }: ClusterStatus): boolean {
  const areServersWell = [stream, ...beside].every(
    ({ leader, replicas }) => leader !== undefined && replicas.every(({ isCurrent }) => isCurrent),
  );
  const areWaysWell = nodes.every(({ ways = [] }) => ways.every(({ isAnswering }) => isAnswering !== false));
  return (
    isComplete &&
    areServersWell &&
    areWaysWell &&
    nodes.length > 0 &&
    absent.length === 0 &&
    nodes.every(({ isReading, isWritable }) => isReading && isWritable)
  );
}

function streamLines(title: string, told: ClusterStatus['stream']): string[] {
  const { first, last, bytes, leader, replicas, isAnswering } = told;
  if (!isAnswering) return [`${title}: does not answer, as without a server that leads it`];
  return [
    `${title}: messages ${grouped(first)} to ${grouped(last)}, ${grouped(bytes)} bytes`,
    `  ${leader ?? 'no server'} leads`,
    ...replicas.map((each) => `  ${each.name} is ${each.isCurrent ? 'up to date' : `behind by ${grouped(each.lag)}`}`),
  ];
}

function textOf({ stream, beside, snapshots, isComplete, nodes, absent }: ClusterStatus): string {
  const { name, last } = stream;
  const lines = [
    ...streamLines(`stream ${name}`, stream),
    ...beside.flatMap((each) => streamLines(`stream ${each.number} beside it`, each)),
    ...snapshots.map(({ sequence, bytes, time }) => {
      const made = new Date(time).toISOString();
      return `snapshot at message ${grouped(sequence)}, ${grouped(bytes)} bytes, made at ${made}, ${ageText(Date.now() - time)} ago`;
    }),
    ...(isComplete ? [] : ['the NATS servers do not tell of other streams, or of snapshots']),
    ...nodes.flatMap(({ name, sequence, state, formats, streams = 1, ways = [], isReading, isWritable }) => {
      const problems = [...(isReading ? [] : ['gets no messages']), ...(isWritable ? [] : ['refuses writes'])];
      const what = problems.length === 0 ? '' : `, ${problems.join(', ')}`;
      const own = `${name}: message ${grouped(sequence)}, behind by ${grouped(Math.max(0, last - sequence))}, state ${state.slice(0, 12)}, reads format ${formats?.log ?? 1}, ${streams === 1 ? 'writes to 1 stream' : `writes to ${streams} streams`}${what}`;
      return streams === 1 ? [own] : [own, ...ways.map(wayLine)];
    }),
  ];
  for (const { name, seen } of absent)
    lines.push(`${name}: does not answer, last seen ${ageText(Date.now() - seen)} ago`);
  if (nodes.length === 0) lines.push('no node answers');
  return lines.map((line) => `${line}\n`).join('');
}

function wayLine({ stream, sequence, behind, waitingBytes, isAnswering }: StreamWay): string {
  return `  stream ${stream}: message ${grouped(sequence)}, behind by ${grouped(behind)}, ${grouped(waitingBytes)} bytes wait${isAnswering === false ? ', does not answer' : ''}`;
}

function ageText(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function moveCommand(terminal: Terminal): Command {
  return new Command('move')
    .summary('send the changes of an organization to another stream')
    .description(
      'Send the changes of an organization to another of the streams that RELATA_CLUSTER_STREAMS says: 0 is the log itself. A ' +
        'node that runs does it. Requests go on meanwhile. Reads RELATA_CLUSTER_URL and the settings beside it.',
    )
    .argument('<organization>', 'its slug')
    .argument('<stream>', 'a number from 0 on')
    .action((organization: string, stream: string) => runAction(terminal, () => move(terminal, organization, stream)));
}

async function move(terminal: Terminal, organization: string, text: string): Promise<void> {
  if (!/^\d{1,2}$/.test(text)) throw new CliError('the stream must be a number from 0 on');
  const asked = { store: storeOf(organization), stream: Number(text), host: hostname() };
  await moveInCluster(await streamOf(terminal), asked).catch((error: unknown) => {
    const isUnknown = error instanceof EngineError && error.code === 'unknown_store';
    throw isUnknown ? new CliError(`there is no organization ${organization}`) : error;
  });
  terminal.out.write(`The changes of ${organization} go to stream ${Number(text)} from now on\n`);
}

/** The log that the settings name. @throws CliError where they name none */
async function streamOf(terminal: Terminal) {
  const { streamSettings } = await import('../../server/index.ts');
  const settings = streamSettings(settingsOf(terminal), '');
  if (settings === undefined) throw new CliError('RELATA_CLUSTER_URL is not set');
  return settings;
}
