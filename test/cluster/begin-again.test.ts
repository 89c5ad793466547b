import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginLog } from '../../engine/log/stream/begin-log.ts';
import { JetStream } from '../../engine/log/stream/nats/jet-stream.ts';
import type { StreamSettings } from '../../engine/log/stream/nats/settings.ts';
import { copyStore } from '../../engine/store/copy.ts';
import { ScratchStore } from '../engine/store/scratch-store.ts';
import { findNats } from './find-nats.ts';
import { NatsCluster } from './nats-cluster.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

describe.skipIf('missing' in nats)(`a log that is begun with a restored backup${why}`, () => {
  let servers: NatsCluster;
  let folder: string;
  const settings = (): StreamSettings => ({
    url: servers.url,
    stream: 'relata',
    replicas: 1,
    allowUnsafe: true,
    name: 'test',
    fingerprint: 'the same',
  });
  const init = (name: string, force = false) =>
    beginLog({
      settings: settings(),
      path: join(folder, name),
      drafts: join(folder, 'drafts'),
      kind: 'init',
      force,
      commands: [],
      writer: { retention: { commitsMax: 1e6, bytesMax: 1e9, storeBytesMax: 1e9 } },
      warn: () => {},
    });

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '', servers: 1 });
    folder = mkdtempSync(join(tmpdir(), 'relata-begin-'));
  });
  afterAll(() => {
    servers?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('goes on where it was interrupted, without force; another copy of the same backup does not', async () => {
    const store = await ScratchStore.openModelled();
    for (const name of ['one', 'other']) await copyStore(store.path, join(folder, name));
    await store.close();
    // a log that goes on: it is refused, and all that is changed is that the data have an identity
    await (await JetStream.open(settings())).close();
    await init('other', true);
    await expect(init('one')).rejects.toMatchObject({ message: expect.stringMatching(/has a log already/) });
    // as the folder is before the last step
    mkdirSync(join(folder, 'interrupted'));
    cpSync(join(folder, 'one', 'data.mdb'), join(folder, 'interrupted', 'data.mdb'));
    await init('one', true);
    await init('interrupted');
    await expect(init('interrupted')).rejects.toMatchObject({
      message: expect.stringMatching(/those of a node of a cluster/),
    });
  });
});
