import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { afterEach, describe, expect, it } from 'vitest';
import { checkServers, versionProblems } from '../../engine/log/stream/nats/check-servers.ts';
import { connectTo } from '../../engine/log/stream/nats/connection/connect.ts';
import type { StreamSettings } from '../../engine/log/stream/nats/settings.ts';
import { nextPort } from '../server/next-port.ts';
import { findNats } from './find-nats.ts';
import { NatsCluster } from './nats-cluster.ts';

const versions = [
  { version: '2.9.10', isRefused: true },
  { version: '2.12.2', isRefused: true },
  { version: '1.99.99', isRefused: true },
  { version: '2.12', isRefused: true },
  { version: 'latest', isRefused: true },
  { version: undefined, isRefused: true },
  { version: '2.12.3', isRefused: false },
  { version: '2.12.10', isRefused: false },
  { version: '2.13.0-RC.1', isRefused: false },
  { version: 'v3.0.0', isRefused: false },
];

it.each(versions)('a NATS server of version $version is refused: $isRefused', ({ version, isRefused }) => {
  expect(versionProblems(version, 'the server n1')).toEqual(
    isRefused ? [expect.stringMatching(/^the server n1 .*version/)] : [],
  );
});

const nats = findNats();

describe.skipIf('missing' in nats)('NATS servers that may lose what they acknowledge', () => {
  let servers: NatsCluster;
  let connection: NatsConnection | undefined;

  const settingsOf = (more: Partial<StreamSettings> = {}): StreamSettings => ({
    url: servers.url,
    stream: 'relata',
    replicas: 3,
    monitorUrl: servers.monitorUrl,
    allowUnsafe: false,
    name: 'a test',
    fingerprint: 'f',
    ...more,
  });
  const start = async (jetstream = 'sync_interval: always'): Promise<void> => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '', servers: 1, jetstream });
  };
  /** What is warned of. */
  const check = async (more?: Partial<StreamSettings>): Promise<string[]> => {
    const settings = settingsOf(more);
    connection = await connectTo(settings);
    const warnings: string[] = [];
    await checkServers(connection, settings, (message) => warnings.push(message));
    return warnings;
  };
  const refusal = async (more?: Partial<StreamSettings>): Promise<string> => {
    const error = await check(more).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'invalid_argument' });
    return String(error);
  };

  afterEach(async () => {
    await connection?.close();
    servers.remove();
  });

  it('are refused where they flush later, and where too few keep a message: both are named, and how to go on', async () => {
    await start('sync_interval: 2m');
    const said = await refusal({ replicas: 1 });
    expect(said).toContain('n0 acknowledges before it has flushed');
    expect(said).toContain('RELATA_CLUSTER_REPLICAS is 1');
    expect(said).toContain('RELATA_CLUSTER_UNSAFE=1');
  });

  it('are used, with a warning of each fault, where the settings say so', async () => {
    await start('sync_interval: 2m');
    expect(await check({ replicas: 1, allowUnsafe: true })).toEqual([
      expect.stringContaining('RELATA_CLUSTER_REPLICAS is 1'),
      expect.stringContaining('n0 acknowledges before it has flushed'),
    ]);
  });

  it('are used where one keeps most of what it may, with a warning: its bound is named, and what to set', async () => {
    await start('sync_interval: always, max_file_store: 10MB');
    const settings = settingsOf({ replicas: 1 });
    const own = await connectTo(settings);
    const manager = await jetstreamManager(own);
    await manager.streams.add({ name: 'full', subjects: ['full'] });
    expect(await check({ replicas: 1, allowUnsafe: true })).toEqual([expect.stringContaining('REPLICAS')]);
    await connection?.close();
    const bytes = new Uint8Array(500_000);
    for (let i = 0; i < 13; i++) await manager.jetstream().publish('full', bytes);
    await own.close();
    expect(await check({ replicas: 1, allowUnsafe: true })).toEqual([
      expect.stringMatching(/n0 keeps 7 MiB of the 10 MiB that it may: set "max_file_store"/),
      expect.stringContaining('REPLICAS'),
    ]);
  });

  it('are refused where it cannot be seen: no monitor, one that does not answer, or fewer than a majority', async () => {
    await start();
    expect(await refusal({ monitorUrl: undefined })).toContain('set RELATA_CLUSTER_MONITOR_URL');
    await connection?.close();
    expect(await refusal()).toContain('1 NATS server answers at RELATA_CLUSTER_MONITOR_URL');
    await connection?.close();
    const nobody = `http://127.0.0.1:${await nextPort()}`;
    expect(await refusal({ monitorUrl: nobody })).toContain('0 NATS servers answer');
  });

  it('are refused where one has no JetStream: what to add to its settings is named', async () => {
    await start();
    const told = JSON.stringify({ server_name: 'plain', version: '2.12.3', jetstream: {} });
    const monitor = createServer((_request, answer) => void answer.end(told)).listen(0, '127.0.0.1');
    await once(monitor, 'listening');
    const { port } = monitor.address() as AddressInfo;
    const said = await refusal({ monitorUrl: `http://127.0.0.1:${port}` });
    monitor.close();
    expect(said).toContain('plain has no JetStream: add a "jetstream" block');
    expect(said).not.toContain('before it has flushed');
  });

  it('that cannot be reached are told of without the password', async () => {
    await start();
    const url = `nats://relata:a-secret-word@127.0.0.1:${await nextPort()}`;
    const error = await connectTo(settingsOf({ url })).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(JSON.stringify(error) + String(error)).not.toContain('a-secret-word');
  });
});
