import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommitResult } from '../../../../engine/command/command.ts';
import { packCommand } from '../../../../engine/command/pack-command.ts';
import { Engine } from '../../../../engine/engine.ts';
import { LocalLog } from '../../../../engine/log/local-log.ts';
import { openTables } from '../../../../engine/store/environment.ts';
import { readRevision, revisionKey } from '../../../../engine/store/layout.ts';
import { allocateShared, type OpenedWriter, openWriter } from '../../../../engine/store/open-writer.ts';
import { verifyStore } from '../../../../engine/store/verify/verify.ts';

const retention = { commitsMax: 1e6, bytesMax: 1e9, storeBytesMax: 1e9 };

let path: string;
const opened: OpenedWriter[] = [];

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'relata-fence-'));
});
afterEach(async () => {
  for (const writer of opened.splice(0)) await writer.close();
  rmSync(path, { recursive: true, force: true });
});

function open(unsafeNoLock = true): { readonly opened: OpenedWriter; readonly log: LocalLog } {
  const writer = openWriter({ path, shared: allocateShared(2 ** 16), retention, unsafeNoLock });
  opened.push(writer);
  return { opened: writer, log: new LocalLog(writer.writer) };
}

let commands = 0;

function create(log: LocalLog, store: string): Promise<CommitResult> {
  return log.submit(packCommand({ id: `c${commands++}`, time: 1, changes: [{ op: 'create_store', store }] }));
}

const storeNames = async (): Promise<string[]> => {
  const engine = await Engine.open({ path });
  const names = engine.storeNames();
  await engine.close();
  return names.toSorted();
};

describe('a writer whose data another one has opened in spite of the lock', () => {
  it('writes nothing more, and acknowledges no pending command', async () => {
    const first = open();
    expect((await create(first.log, 'a')).revision).toBe(1);
    const second = open();
    // the other has written nothing yet: that it could is enough
    const outcomes = await Promise.allSettled(['b', 'c'].map((name) => create(first.log, name)));
    expect(outcomes).toMatchObject([{ reason: { code: 'fenced' } }, { reason: { code: 'fenced' } }]);
    expect((await create(second.log, 'd')).revision).toBe(2);
    await expect(create(first.log, 'e')).rejects.toMatchObject({
      code: 'fenced',
      message: expect.stringContaining('another process has opened the data for writing'),
    });
    for (const { close } of opened.splice(0)) await close();
    expect(await storeNames()).toEqual(['a', 'd']);
    expect(await verifyStore(path)).toMatchObject({ revision: 2, problems: [] });
  });

  it('is not confused with one that opened the data after it was closed', async () => {
    const first = open(false);
    await create(first.log, 'a');
    await first.opened.close();
    const second = open(false);
    expect((await create(second.log, 'b')).revision).toBe(2);
  });

  it('notices another that renews no epoch, by the revision', async () => {
    const first = open();
    await create(first.log, 'a');
    const tables = openTables({ path });
    tables.meta.putSync(Buffer.from('revision'), revisionKey(7));
    await expect(create(first.log, 'b')).rejects.toMatchObject({
      code: 'fenced',
      message: expect.stringMatching(/at revision 7.*at 1/),
    });
    expect(readRevision(tables.meta.getBinary(Buffer.from('revision')) as Buffer)).toBe(7);
    await tables.root.close();
  });

  it.each([
    { name: 'removed', given: (file: string) => rmSync(file) },
    {
      name: 'replaced by a copy',
      given: (file: string) => {
        copyFileSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
    },
  ])('notices a data file that was $name', async ({ given }) => {
    const { log } = open(false);
    await create(log, 'a');
    given(join(path, 'data.mdb'));
    await expect(create(log, 'b')).rejects.toMatchObject({
      code: 'fenced',
      message: expect.stringMatching(/removed or replaced/),
    });
  });

  it('refuses commands that must roll back alone as well, and batches with a poisoned one', async () => {
    const first = open();
    await create(first.log, 'a');
    open();
    // written again in a transaction of its own after the first attempt failed
    const poisoned = { id: 'p', time: 1, changes: [{ op: 'nonsense' }] } as never;
    const outcomes = await Promise.allSettled([create(first.log, 'b'), first.log.submit(poisoned)]);
    expect(outcomes).toMatchObject([{ reason: { code: 'fenced' } }, { reason: { code: 'fenced' } }]);
  });
});

describe('the data of an engine', () => {
  it('has one writer in a process', async () => {
    const engine = await Engine.open({ path });
    expect(() => Engine.open({ path })).toThrow(expect.objectContaining({ code: 'in_use' }));
    await engine.close();
    // closed twice, it does not let go of the next one's lock
    const next = await Engine.open({ path });
    await engine.close();
    expect(() => Engine.open({ path })).toThrow(expect.objectContaining({ code: 'in_use' }));
    await next.close();
  });

  it('is free again after it could not be opened', async () => {
    const tables = openTables({ path });
    tables.meta.putSync(Buffer.from('format'), Buffer.of(99));
    await tables.root.close();
    for (let times = 0; times < 2; times++) {
      expect(() => Engine.open({ path })).toThrow(expect.objectContaining({ code: 'corrupt' }));
    }
  });
});
