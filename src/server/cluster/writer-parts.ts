import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { StreamSettings, WriterParts } from '#engine';
import { type Config, type Log, serviceVersion } from '../../platform/index.ts';
import type { WriterFaults } from '../writer/writer-faults.ts';
import type { ClusterState } from './cluster-state.ts';

export interface WritingParts {
  readonly faults: WriterFaults;
  readonly cluster: ClusterState;
  readonly log: Log;
  /** Aborts when the service is to end. */
  readonly ended: AbortSignal;
}

/** What the writer's thread needs beside its storage, and what is logged of it. */
export function writerParts(
  config: Config,
  chainKey: Uint8Array,
  { faults, cluster, log, ended }: WritingParts,
): WriterParts {
  const stream = streamSettings(config, fingerprintOf(chainKey));
  return {
    onFault: (fault) => faults.note(fault),
    onStatus: (status, at) => cluster.note(status, at),
    stream,
    // alone, a start is given up at its next step
    ended: stream === undefined ? undefined : ended,
    onNotice: ({ level, message, facts }) => log[level](facts, message),
  };
}

/** How this node reaches the log of its cluster; undefined where it is alone. */
export function streamSettings(config: Config, fingerprint: string): StreamSettings | undefined {
  if (config.clusterUrl === null) return undefined;
  return {
    url: config.clusterUrl,
    stream: config.clusterStream,
    replicas: config.clusterReplicas,
    credentialsFile: config.clusterCredentials ?? undefined,
    caFile: config.clusterCa ?? undefined,
    certificateFile: config.clusterCertificate ?? undefined,
    keyFile: config.clusterKey ?? undefined,
    monitorUrl: config.clusterMonitorUrl ?? undefined,
    allowUnsafe: config.clusterUnsafe,
    name: `relata ${serviceVersion} ${hostname()}:${config.port}`,
    fingerprint,
  };
}

/** Nodes that make other chains must not share a log. */
function fingerprintOf(chainKey: Uint8Array): string {
  return createHash('sha256').update('relata cluster').update(chainKey).digest('hex').slice(0, 32);
}
