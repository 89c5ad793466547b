import { setTimeout as sleep } from 'node:timers/promises';
import { moveInCluster } from '#engine';
import { secondsSince } from '../measure/clock.ts';
import { type ClusterNode, startNode, streamSettings } from './cluster-node.ts';
import type { NatsServers } from './nats-servers.ts';

export interface DelayOptions {
  readonly scratch: string;
  readonly servers: NatsServers;
  readonly streams: 1 | 2;
  readonly seconds: number;
  readonly largeBytes: number;
}

const SMALL = 'small';
const LARGE = 'large';
/** Of one record; a command has as many of them as it needs. */
const RECORD_BYTES = 100_000;
const dsl = 'model\n  schema 1.1\ntype user\n';

/**
 * Milliseconds that small commands of one store take while another one writes large ones through the same node, one after
 * the other: with one stream, and with one for each of the two.
 */
export async function smallDelays(options: DelayOptions): Promise<number[]> {
  const { scratch, servers, streams, seconds, largeBytes } = options;
  const stream = `bench-${streams}`;
  const node = await startNode(stream, scratch, servers, undefined, { stream, streams });
  try {
    for (const store of [SMALL, LARGE]) await (await node.engine.openStore(store)).writeModel({ dsl });
    if (streams === 2) {
      const settings = { ...streamSettings('mover', servers), stream };
      await moveInCluster(settings, { store: SMALL, stream: 0 });
      await moveInCluster(settings, { store: LARGE, stream: 1 });
    }
    let isOver = false;
    const large = (async () => {
      while (!isOver) await put(node, LARGE, largeBytes);
    })();
    const millis: number[] = [];
    for (const begun = process.hrtime.bigint(); secondsSince(begun) < seconds; ) {
      const startedAt = process.hrtime.bigint();
      await put(node, SMALL, 100);
      millis.push(secondsSince(startedAt) * 1000);
      await sleep(5);
    }
    isOver = true;
    await large;
    return millis;
  } finally {
    await node.close();
  }
}

async function put(node: ClusterNode, store: string, bytes: number): Promise<void> {
  const count = Math.ceil(bytes / RECORD_BYTES);
  const document = 'x'.repeat(Math.min(bytes, RECORD_BYTES));
  const changes = Array.from({ length: count }, (_, n) => {
    return { op: 'put_record', store, record: { collection: 'documents', id: `d${n}`, document } } as const;
  });
  await node.engine.submit(node.engine.command(changes));
}
