import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { StreamSettings, WriterParts } from '#engine';
import { type Config, deriveKey, type Log, serviceVersion } from '../../platform/index.ts';
import type { WriterFaults } from '../writer/writer-faults.ts';
import type { ClusterState } from './cluster-state.ts';

export interface WritingParts {
  readonly faults: WriterFaults;
  readonly cluster: ClusterState;
  readonly log: Log;
  /** Told how far the start has come with the shared log. */
  readonly onStarting: (checks: { readonly log: string }) => void;
  /** Aborts when the service is to end. */
  readonly ended: AbortSignal;
}

/** What the writer's thread needs beside its storage, and what is logged of it. */
export function writerParts(
  config: Config,
  chainKey: Uint8Array,
  { faults, cluster, log, ended, onStarting }: WritingParts,
): WriterParts {
  const stream = streamSettings(config, fingerprintOf(chainKey));
  return {
    onFault: (fault) => faults.note(fault),
    onStatus: (status, at) => cluster.note(status, at),
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
