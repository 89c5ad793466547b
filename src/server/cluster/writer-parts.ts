import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { StreamSettings, WriterParts } from '#engine';
import type { Config, Log } from '../../platform/index.ts';
import type { WriterFaults } from '../writer/writer-faults.ts';

/** What the writer's thread needs beside its storage, and what is logged of it. */
export function writerParts(config: Config, chainKey: Uint8Array, faults: WriterFaults, log: Log): WriterParts {
  return {
    onFault: (fault) => faults.note(fault),
    stream: streamSettings(config, chainKey),
    onNotice: ({ level, message, facts }) => log[level](facts, message),
  };
}

/** How this node reaches the log of its cluster; undefined where it is alone. */
function streamSettings(config: Config, chainKey: Uint8Array): StreamSettings | undefined {
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
    name: `relata ${hostname()}:${config.port}`,
    fingerprint: createHash('sha256').update('relata cluster').update(chainKey).digest('hex').slice(0, 32),
  };
}
