import { JetStreamApiError, type JetStreamManager, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { type Msg, type NatsConnection, NoRespondersError } from '@nats-io/transport-node';
import { EngineError } from '../../../errors.ts';
import type { SeenNode, StreamStatus } from '../carried/stream-status.ts';
import type { NodeFormats } from '../log-format.ts';
import type { Snapshot } from '../snapshots/snapshot.ts';
import { unanswered } from './connection/answered.ts';
import { connectTo, reasonOf } from './connection/connect.ts';
import { ObjectBucket } from './object-bucket.ts';
import type { StreamSettings } from './settings.ts';
import { nameSideStreams } from './side-streams.ts';

/** What a node tells of itself. */
export interface NodeStatus extends Omit<StreamStatus, 'formats'> {
  readonly name: string;
  /** Older versions do not tell. */
  readonly formats?: NodeFormats;
}

/** A stream, as the servers tell of it. */
export interface ToldStream {
  readonly name: string;
  /** Not without a leader: then nothing else is known. */
  readonly isAnswering: boolean;
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  /** The server that orders messages; none without a majority. */
  readonly leader: string | undefined;
  readonly replicas: readonly { readonly name: string; readonly isCurrent: boolean; readonly lag: number }[];
}

export interface ClusterStatus {
  /** The log. While it has no leader, no server tells of it, and nothing is known of what stands beside it. */
  readonly stream: ToldStream;
  /** Those beside it, in the order of their numbers. */
  readonly beside: readonly (ToldStream & { readonly number: number })[];
  /** Of this log, the newest first. */
  readonly snapshots: readonly Pick<Snapshot, 'sequence' | 'bytes' | 'time'>[];
  /** Whether the servers told of the side streams and of the snapshots. Without a majority, they may tell of the log alone. */
  readonly isComplete: boolean;
  /** Nodes that answered, in the order of their names. */
  readonly nodes: readonly Omit<NodeStatus, 'known'>[];
  /** Nodes that those have seen, and that do not answer. */
  readonly absent: readonly SeenNode[];
}

const NO_STREAM = 10059;
const ANSWER_MS = 1500;
const NODES_MAX = 1000;

function subjectOf({ stream }: Pick<StreamSettings, 'stream'>): string {
  return `${stream}.status`;
}

/** Answers whoever asks for the status of the cluster, as long as the connection lasts. */
export function tellStatus(
  connection: NatsConnection,
  settings: Pick<StreamSettings, 'stream' | 'name'>,
  status: () => StreamStatus,
): void {
  const { name } = settings;
  connection.subscribe(subjectOf(settings), {
    callback: (_error, message: Msg) =>
      void message.respond(JSON.stringify({ name, ...status() } satisfies NodeStatus)),
  });
}

/** @throws EngineError `unavailable` where no server answers */
export async function askStatus(settings: StreamSettings): Promise<ClusterStatus> {
  const connection = await connectTo(settings);
  try {
    // in this order: what is written while the nodes are asked does not make them look late
    const told = await streamOf(connection, settings);
    const nodes = await askNodes(connection, settings);
    return { ...told, nodes: nodes.map(({ known, ...node }) => node), absent: absentFrom(nodes) };
  } finally {
    await connection.close();
  }
}

/** Host and port, which a node keeps: it tells its version as well. */
export function addressOf(name: string): string {
  return name.split(' ').at(-1) ?? name;
}

/** In the order of their names. */
function absentFrom(nodes: readonly NodeStatus[]): SeenNode[] {
  const absent = new Map<string, SeenNode>();
  for (const each of nodes.flatMap(({ known = [] }) => known)) {
    if ((absent.get(each.name)?.seen ?? Number.NEGATIVE_INFINITY) < each.seen) absent.set(each.name, each);
  }
  for (const { name } of nodes) absent.delete(addressOf(name));
  return [...absent.values()].toSorted(byName);
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}

/** Those that answer, in the order of their names. */
export async function askNodes(
  connection: NatsConnection,
  settings: Pick<StreamSettings, 'stream'>,
): Promise<NodeStatus[]> {
  const nodes: NodeStatus[] = [];
  try {
    const asked = await connection.requestMany(subjectOf(settings), '', {
      maxWait: ANSWER_MS,
      maxMessages: NODES_MAX,
    });
    for await (const message of asked) if (message.data.length > 0) nodes.push(message.json<NodeStatus>());
  } catch (error) {
    // without a node, the servers answer that nobody is there
    if (!(error instanceof NoRespondersError)) throw unanswered(error);
  }
  return nodes.toSorted(byName);
}

async function streamOf(
  connection: NatsConnection,
  settings: StreamSettings,
): Promise<Omit<ClusterStatus, 'nodes' | 'absent'>> {
  const { stream: name } = settings;
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const info = await manager.streams.info(name).catch((error: unknown) => {
    // without a leader there is no answer, or one that says so
    if (!(error instanceof JetStreamApiError && error.code === NO_STREAM)) return undefined;
    const reason = `${reasonOf(error)}. RELATA_CLUSTER_STREAM names it, and the first node that starts makes it`;
    throw new EngineError('unavailable', `the NATS servers do not tell of the stream ${name}: ${reason}`);
  });
  if (info === undefined) return { stream: silentStream(name), beside: [], snapshots: [], isComplete: false };
  const log = info.config.metadata?.relata_log ?? '';
  // a server that is left alone tells of the log, and refuses to name others
  const [beside, snapshots] = await Promise.all([
    besideOf(manager, name, log),
    snapshotsOf(connection, settings, log),
  ] as const);
  return {
    stream: toldOf(info),
    beside: beside ?? [],
    snapshots: snapshots ?? [],
    isComplete: beside !== undefined && snapshots !== undefined,
  };
}

/** Undefined where the servers do not tell. */
async function besideOf(
  manager: JetStreamManager,
  stream: string,
  log: string,
): Promise<ClusterStatus['beside'] | undefined> {
  const found = await nameSideStreams(manager, stream, log).catch(() => undefined);
  return (
    found && Promise.all(found.map(async ({ number, name }) => ({ number, ...(await toldOrSilent(manager, name)) })))
  );
}

/** Undefined where the servers do not tell. */
async function snapshotsOf(
  connection: NatsConnection,
  settings: StreamSettings,
  log: string,
): Promise<ClusterStatus['snapshots'] | undefined> {
  const bucket = await ObjectBucket.open(connection, settings);
  const found = await bucket.list().catch(() => undefined);
  return found?.filter((each) => each.log === log).map(({ sequence, bytes, time }) => ({ sequence, bytes, time }));
}

/** What is known of a stream that has no leader. */
function toldOrSilent(manager: JetStreamManager, name: string): Promise<ToldStream> {
  return manager.streams.info(name).then(toldOf, () => silentStream(name));
}

function silentStream(name: string): ToldStream {
  return { name, isAnswering: false, first: 0, last: 0, bytes: 0, leader: undefined, replicas: [] };
}

function toldOf({ config: { name }, state, cluster }: StreamInfo): ToldStream {
  const replicas = (cluster?.replicas ?? []).map(({ name, current, lag = 0 }) => ({ name, isCurrent: current, lag }));
  const { first_seq: first, last_seq: last, bytes } = state;
  return { name, isAnswering: true, first, last, bytes, leader: cluster?.leader, replicas };
}
