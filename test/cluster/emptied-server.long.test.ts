/** `npm test` has servers that are killed and come back (`log-on-servers.test.ts`). */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askStatus } from '../../engine/log/stream/nats/ask-status.ts';
import { JetStream } from '../../engine/log/stream/nats/jet-stream.ts';
import { findNats } from './find-nats.ts';
import { NatsCluster } from './nats-cluster.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';
const patience = { timeout: 60_000 };

describe.skipIf('missing' in nats)(`a NATS server that begins again with no storage${why}`, () => {
  let servers: NatsCluster;
  let stream: JetStream;

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
    stream = await JetStream.open(servers.settings);
  });
  afterAll(async () => {
    await stream?.close();
    servers?.remove();
  });

  const publish = (text: string): Promise<boolean> =>
    stream.publish(Buffer.from(text)).then(
      () => true,
      () => false,
    );

  it('gets the log from the others, and is as good as they are, whichever it was', async () => {
    let count = 0;
    for (let emptied = 0; emptied < servers.count; emptied++) {
      for (let n = 0; n < 50; n++) await expect.poll(() => publish(`message-${count}`), patience).toBe(true);
      await servers.kill(emptied);
      rmSync(servers.folderOf(emptied), { recursive: true });
      servers.run(emptied);
      await servers.ready();
      const replicas = async () => (await askStatus(servers.settings)).stream.replicas;
      const caughtUp = [0, 1].map(() => expect.objectContaining({ isCurrent: true, lag: 0 }));
      await expect.poll(replicas, patience).toEqual(caughtUp);
      // one of the two that gave it the log is gone: without it, there is no majority
      const other = (emptied + 1) % servers.count;
      await servers.kill(other);
      await expect.poll(() => publish('without the other'), patience).toBe(true);
      const { first, last } = await stream.ends();
      const texts = await Promise.all(
        Array.from({ length: last - first + 1 }, async (_, n) =>
          Buffer.from((await stream.message(first + n)) ?? []).toString(),
        ),
      );
      count += 50;
      expect(texts.filter((text) => text.startsWith('message-')).length).toBeGreaterThanOrEqual(count);
      servers.run(other);
      await servers.ready();
    }
  });
});
