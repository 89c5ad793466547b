import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beginClusterLog, openClusterSnapshots } from '#engine';
import { type ClusterNode, startNode, streamSettings } from '../cluster/cluster-node.ts';
import { type NatsServers, natsProgram, startNatsServers } from '../cluster/nats-servers.ts';
import type { Drive } from '../data/drive/drive.ts';
import { secondsSince } from '../measure/clock.ts';
import { atMost } from '../report/line.ts';
import { dataFolder } from '../store/data-folder.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { writerSettings } from '../store/writer-settings.ts';
import { driveOf } from './drive-suite.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

const MEGABYTE = 1_000_000;
/** From when a node has the bytes of its snapshot to its first answer. */
const SERVES_SECONDS_MAX = 30;

/** A snapshot of a drive, and a node with an empty folder that starts from it: three NATS servers on this machine. */
export function clusterJoinSuite(size: '1m' | '10m', tuples: number): Suite {
  return {
    name: `cluster-join-${size}`,
    about: `a snapshot of ${tuples.toLocaleString('en-US')} tuples, and a node that starts from it`,
    size,
    async run(bench) {
      const program = natsProgram();
      if (program === undefined) return bench.note('nats-server is not installed: nothing is measured');
      const data = driveOf(bench, tuples);
      const from = await dataFolder(data);
      const scratch = scratchFolder('cluster-join');
      const servers = await startNatsServers(program, scratch);
      const nodes: ClusterNode[] = [];
      try {
        bench.note('beginning the log with the data');
        await begin(from, scratch, servers);
        const first = await startNode('first', scratch, servers);
        nodes.push(first);
        await upload(bench, size, first, { scratch, servers });
        nodes.push(await joined(bench, size, data, { scratch, servers }));
      } finally {
        for (const node of nodes) await node.close();
        servers.stop();
        rmSync(scratch, { recursive: true, force: true });
      }
    },
  };
}

interface Where {
  readonly scratch: string;
  readonly servers: NatsServers;
}

/** As `relata cluster init` does it. */
async function begin(from: string, scratch: string, servers: NatsServers): Promise<void> {
  const path = join(scratch, 'first');
  mkdirSync(path, { mode: 0o700 });
  cpSync(join(from, 'data.mdb'), join(path, 'data.mdb'));
  await beginClusterLog({
    settings: streamSettings('init', servers),
    path,
    drafts: join(scratch, 'drafts'),
    kind: 'init',
    force: false,
    commands: [],
    writer: writerSettings(path),
    warn: () => {},
  });
}

/** As the node does it that has the lease, while it serves. */
async function upload(bench: Bench, size: string, node: ClusterNode, { scratch, servers }: Where): Promise<void> {
  const snapshots = await openClusterSnapshots(streamSettings('keeper', servers));
  const startedAt = process.hrtime.bigint();
  let copied = 0;
  try {
    const { bytes } = await snapshots.take({
      path: join(scratch, 'first'),
      drafts: join(scratch, 'drafts'),
      async copy(folder) {
        await node.writer.backup(folder, { isOfSameLog: true });
        copied = secondsSince(startedAt);
      },
      now: Date.now,
      signal: new AbortController().signal,
    });
    const sent = secondsSince(startedAt) - copied;
    bench.line({ name: `snapshot of ${size.toUpperCase()}, copied`, value: copied, unit: 's', detail: { bytes } });
    bench.line({
      name: `snapshot of ${size.toUpperCase()}, sent`,
      value: bytes / MEGABYTE / sent,
      unit: 'MB/s',
      detail: { bytes, seconds: sent },
    });
  } finally {
    await snapshots.close();
  }
}

async function joined(bench: Bench, size: string, data: Drive, { scratch, servers }: Where): Promise<ClusterNode> {
  const { requests, expected } = data.nested(1);
  const [request] = requests;
  const startedAt = process.hrtime.bigint();
  let arrivedAt: bigint | undefined;
  const node = await startNode('second', scratch, servers, ({ message }) => {
    if (message === 'a snapshot has arrived') arrivedAt = process.hrtime.bigint();
  });
  if (arrivedAt === undefined || request === undefined) throw new Error('the node did not start from a snapshot');
  const isAllowed = node.store().check(request).outcome === 'allowed';
  const seconds = secondsSince(arrivedAt);
  if (isAllowed !== (expected[0] === 1)) throw new Error('the first check is answered wrongly');
  const loaded = secondsSince(startedAt) - seconds;
  const bytes = statSync(join(scratch, 'second', 'data.mdb')).size;
  bench.line({
    name: `snapshot of ${size.toUpperCase()}, loaded`,
    value: bytes / MEGABYTE / loaded,
    unit: 'MB/s',
    detail: { bytes, seconds: loaded },
  });
  const target = unlessSmoke(bench, atMost(SERVES_SECONDS_MAX));
  bench.line({
    name: `from the snapshot of ${size.toUpperCase()} to the first check`,
    value: seconds,
    unit: 's',
    ...(target === undefined ? {} : { target }),
  });
  return node;
}
