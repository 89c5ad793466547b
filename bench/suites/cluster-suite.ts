import { rmSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Tuple } from '#engine';
import { barePublish, type StreamSize, sizeOf } from '../cluster/bare-publish.ts';
import { type ClusterNode, STREAM, startNode } from '../cluster/cluster-node.ts';
import { type NatsServers, natsProgram, startNatsServers } from '../cluster/nats-servers.ts';
import { smallDelays } from '../cluster/stream-delays.ts';
import { secondsSince } from '../measure/clock.ts';
import { median, percentile } from '../measure/percentile.ts';
import { mainThreadMicros } from '../measure/thread-cpu.ts';
import { atLeast, atMost } from '../report/line.ts';
import { STORE } from '../store/import-data-set.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

const NODES = 3;
const CLIENTS = 256;
/** Tuples of one command. */
const FILLED = 1000;
const dsl = 'model\n  schema 1.1\ntype user\ntype document\n  relations\n    define viewer: [user]\n';

/** Three nodes and three servers on this machine: all of it shares its cores and its disk. */
export const clusterSuite: Suite = {
  name: 'cluster',
  about: 'commands of 256 clients over three nodes, how late others see them, and checks on a node of a cluster',
  async run(bench) {
    const program = natsProgram();
    if (program === undefined) return bench.note('nats-server is not installed: nothing is measured');
    const scratch = scratchFolder('cluster');
    const servers = await startNatsServers(program, scratch);
    const nodes: ClusterNode[] = [];
    try {
      for (let n = 0; n < NODES; n++) nodes.push(await startNode(`node-${n}`, scratch, servers));
      const alone = await startNode('alone', scratch, undefined);
      nodes.push(alone);
      const cluster = nodes.slice(0, NODES);
      for (const each of [cluster[0] as ClusterNode, alone]) {
        await (await each.engine.openStore(STORE)).writeModel({ dsl });
      }
      await Promise.all(cluster.map((node) => node.engine.barrier()));
      const written = await commands(bench, servers.url, cluster);
      await delays(bench, cluster);
      await fill(alone, written);
      await checks(bench, cluster, alone);
      await besideLarge(bench, scratch, servers);
    } finally {
      for (const node of nodes) await node.close();
      servers.stop();
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

/**
 * Each client writes a tuple, waits for its answer, and writes the next: clients are callers in this process. Answers how
 * many were written.
 */
async function commands(bench: Bench, url: string, cluster: readonly ClusterNode[]): Promise<number> {
  let written = 0;
  const clients = async (seconds: number): Promise<number> => {
    const before = written;
    const startedAt = process.hrtime.bigint();
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, n) => {
        const store = (cluster[n % NODES] as ClusterNode).store();
        while (secondsSince(startedAt) < seconds) {
          await store.write({ writes: [tupleOf(written++)] });
        }
      }),
    );
    return (written - before) / secondsSince(startedAt);
  };
  await clients(bench.isSmoke ? 0.1 : 2); // warm
  const [from, count] = [await sizeOf(url, STREAM), written];
  const seconds = bench.isSmoke ? 0.2 : 10;
  const rate = await clients(seconds);
  const { messages, bytes } = difference(await sizeOf(url, STREAM), from);
  const perMessage = (written - count) / messages;
  const load = { connections: NODES, seconds };
  const single = await barePublish(url, { ...load, bytes: Math.round(bytes / (written - count)), senders: CLIENTS });
  const batches = await barePublish(url, { ...load, bytes: Math.round(bytes / messages), senders: NODES });
  const [least, share] = [unlessSmoke(bench, atLeast(5000)), unlessSmoke(bench, atLeast(0.6, 'ratio'))];
  const line = { name: `commands, ${CLIENTS} clients over ${NODES} nodes`, value: rate, unit: 'commands/s' } as const;
  bench.line({ ...line, ...(least === undefined ? {} : { target: least }), detail: { perMessage } });
  bench.line({
    ...line,
    name: 'the same beside as many clients that publish their bytes',
    baseline: { name: 'publish', value: single },
    ...(share === undefined ? {} : { target: share }),
    detail: { messageBytes: bytes / (written - count) },
  });
  bench.line({
    ...line,
    name: 'the same beside bare messages as large as those of the nodes',
    baseline: { name: 'publish', value: batches * perMessage },
    detail: { messageBytes: bytes / messages },
  });
  return written;
}

function tupleOf(n: number): Tuple {
  return { object: `document:${n}`, relation: 'viewer', subject: `user:${n % CLIENTS}` };
}

/** As many tuples as the nodes of the cluster have, so that checks are asked of the same data. */
async function fill(node: ClusterNode, count: number): Promise<void> {
  for (let from = 0; from < count; from += FILLED) {
    const length = Math.min(FILLED, count - from);
    await node.store().write({ writes: Array.from({ length }, (_, n) => tupleOf(from + n)) });
  }
}

function difference(later: StreamSize, earlier: StreamSize): StreamSize {
  return { messages: later.messages - earlier.messages, bytes: later.bytes - earlier.bytes };
}

/** From the answer at one node until another one reads at that revision. */
async function delays(bench: Bench, [one, other]: readonly ClusterNode[]): Promise<void> {
  if (one === undefined || other === undefined) throw new Error('there are two nodes at least');
  const millis: number[] = [];
  for (let n = 0; n < (bench.isSmoke ? 10 : 1000); n++) {
    const writes = [{ object: `document:seen-${n}`, relation: 'viewer', subject: 'user:anne' }];
    const { revision } = await one.store().write({ writes });
    const startedAt = process.hrtime.bigint();
    while (other.engine.revision() < revision) await nextTurn();
    millis.push(secondsSince(startedAt) * 1000);
  }
  const sorted = Float64Array.from(millis).sort();
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    bench.line({
      name: `from an answer to visible on another node, ${name}`,
      value: percentile(sorted, share),
      unit: 'ms',
    });
  }
}

/** Small commands beside large ones of another store at the same node: with one stream for both, and with two. */
async function besideLarge(bench: Bench, scratch: string, servers: NatsServers): Promise<void> {
  const [seconds, largeBytes] = bench.isSmoke ? [0.5, 1_000_000] : [10, 10_000_000];
  const one = await smallDelays({ scratch, servers, streams: 1, seconds, largeBytes });
  const two = await smallDelays({ scratch, servers, streams: 2, seconds, largeBytes });
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    bench.line({
      name: `a small command beside large ones in another stream, ${name}`,
      value: percentile(Float64Array.from(two).sort(), share),
      unit: 'ms',
      baseline: { name: 'in one stream', value: percentile(Float64Array.from(one).sort(), share) },
      detail: { largeBytes, count: two.length, countInOne: one.length },
    });
  }
}

/**
 * Processor time of checks that find a tuple, in turns: on each node of a cluster, and on one that is alone. Where names
 * and lists of a node happen to lie in memory moves its time by some hundredths.
 */
async function checks(bench: Bench, cluster: readonly ClusterNode[], alone: ClusterNode): Promise<void> {
  const documents = 500;
  const writes = Array.from({ length: documents }, (_, n) => {
    return { object: `document:own-${n}`, relation: 'viewer', subject: 'user:anne' };
  });
  for (const each of [cluster[0] as ClusterNode, alone]) await each.store().write({ writes });
  await Promise.all(cluster.map((node) => node.engine.barrier()));
  const micros = (store: ReturnType<ClusterNode['store']>): number => {
    // the system counts a thread's time in steps of milliseconds
    const count = bench.isSmoke ? 50_000 : 200_000;
    const before = mainThreadMicros();
    for (let n = 0; n < count; n++) {
      const question = { object: `document:own-${n % documents}`, relation: 'viewer', subject: 'user:anne' };
      if (store.check(question).outcome !== 'allowed') throw new Error('a check was denied');
    }
    return (mainThreadMicros() - before) / count;
  };
  const taken: { readonly cluster: number[]; readonly single: number[] } = { cluster: [], single: [] };
  for (let round = 0; round < 10 * NODES; round++) {
    const node = cluster[round % NODES] as ClusterNode;
    const turns = [() => taken.cluster.push(micros(node.store())), () => taken.single.push(micros(alone.store()))];
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) turn();
    await nextTurn();
  }
  const most = unlessSmoke(bench, atMost(1.03, 'ratio'));
  bench.line({
    name: 'processor time of a check on a node of a cluster',
    value: median(taken.cluster),
    unit: 'µs',
    baseline: { name: 'alone', value: median(taken.single) },
    ...(most === undefined ? {} : { target: most }),
  });
}
