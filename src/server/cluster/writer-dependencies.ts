import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { DEFAULT_RETENTION, type LogRetention, type StreamSettings, type WriterDependencies } from '#engine';
import { type Config, deriveKey, type Log, serviceVersion } from '../../platform/index.ts';
import type { WriterFaults } from '../writer/writer-faults.ts';
import type { ClusterState } from './cluster-state.ts';
import type { MoveRecords } from './record-moves.ts';

export interface WritingDependencies {
  readonly faults: WriterFaults;
  readonly cluster: ClusterState;
  readonly moves: Pick<MoveRecords, 'record'>;
  readonly log: Log;
  /** Told how far the start has come with the shared log. */
  readonly onStarting: (checks: { readonly log: string }) => void;
  /** Aborts when the service is to end. */
  readonly ended: AbortSignal;
}

/** The dependencies of the writer's thread, which also log what it tells. */
export function writerDependencies(
  config: Config,
  chainKey: Uint8Array,
  { faults, cluster, moves, log, ended, onStarting }: WritingDependencies,
): WriterDependencies {
  const stream = streamSettings(config, fingerprintOf(chainKey));
  return {
    onFault: (fault) => faults.note(fault),
    onStatus: (status, at) => cluster.note(status, at),
    recordMove: (asked, step) => moves.record(asked, step),
    stream,
    // alone, a start is given up at its next step
    ended: stream === undefined ? undefined : ended,
    onNotice: ({ level, message, facts }) => {
      log[level](facts, message);
      onStarting({ log: `${message}${factsText(facts)}` });
    },
  };
}

/** For a command that does what a node does. */
export function nodeSettings(config: Config): StreamSettings | undefined {
  const { masterKey } = config;
  return masterKey === null ? undefined : streamSettings(config, fingerprintOf(chainKeyOf(masterKey)));
}

export function retentionOf({ changeLogBytes, changeLogBytesPerOrganization }: Config['limits']): LogRetention {
  return { ...DEFAULT_RETENTION, bytesMax: changeLogBytes, storeBytesMax: changeLogBytesPerOrganization };
}

/** How a node writes, for a command that writes instead of it. */
export function writerSettings({ masterKey, limits }: Config) {
  return { retention: retentionOf(limits), ...(masterKey === null ? {} : { chainKey: chainKeyOf(masterKey) }) };
}

/** Makes the links of chains. */
export function chainKeyOf(masterKey: string): Uint8Array {
  return deriveKey(masterKey, 'audit chain');
}

/** How this node reaches the log of its cluster; undefined where it is alone. */
export function streamSettings(config: Config, fingerprint: string): StreamSettings | undefined {
  if (config.clusterUrl === null) return undefined;
  return {
    url: config.clusterUrl,
    stream: config.clusterStream,
    replicas: config.clusterReplicas,
    streams: config.clusterStreams,
    credentialsFile: config.clusterCredentials ?? undefined,
    caFile: config.clusterCa ?? undefined,
    certificateFile: config.clusterCertificate ?? undefined,
    keyFile: config.clusterKey ?? undefined,
    monitorUrl: config.clusterMonitorUrl ?? undefined,
    startWaitMs: config.clusterStartWaitS * 1000,
    allowUnsafe: config.clusterUnsafe,
    name: `relata ${serviceVersion} ${hostname()}:${config.port}`,
    fingerprint,
  };
}

/** Numbers alone: anybody may ask. */
function factsText(facts: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(facts).filter(([, value]) => typeof value === 'number');
  return shown.length === 0 ? '' : `: ${shown.map(([name, value]) => `${name} ${value}`).join(', ')}`;
}

/** Nodes that make other chains must not share a log. */
function fingerprintOf(chainKey: Uint8Array): string {
  return createHash('sha256').update('relata cluster').update(chainKey).digest('hex').slice(0, 32);
}
