import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '../../../engine/engine.ts';
import { PortLog } from '../../../engine/log/port-log.ts';
import { startWriter } from '../../../engine/log/start-writer.ts';
import { openTables } from '../../../engine/store/environment.ts';
import { pack } from '../../../engine/store/layout.ts';
import { allocateShared } from '../../../engine/store/open-writer.ts';

const WRITER_THREAD = new URL('../../../dist/engine/log/writer-thread.js', import.meta.url);

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'relata-writer-'));
});

afterEach(() => rmSync(path, { recursive: true, force: true }));

const settings = (folder = path) => ({
  path: folder,
  shared: allocateShared(4096),
  retention: { commitsMax: 100, bytesMax: 1e6, storeBytesMax: 1e6 },
});

describe('the thread of the writer', () => {
  it('serves several threads’ logs, and says nothing of failure when it is closed', async () => {
    const given = settings();
    const writer = await startWriter(given, { entry: WRITER_THREAD });
    const logs = [new PortLog(writer.connect()), new PortLog(writer.connect())];
    const time = Date.now();
    const results = await Promise.all(
      logs.map((log, n) => log.submit({ id: `c${n}`, time, changes: [{ op: 'create_store', store: `s${n}` }] })),
    );
    expect(results.map(({ revision }) => revision).toSorted()).toEqual([1, 2]);
    for (const log of logs) await log.close();
    const engine = await Engine.open({ path, joined: { shared: given.shared, log: new PortLog(writer.connect()) } });
    expect(engine.storeNames().toSorted()).toEqual(['s0', 's1']);
    await engine.close();
    await writer.close();
    expect(await Promise.race([writer.failed, Promise.resolve('still open')])).toBe('still open');
  });

  it('lets a thread see, after a barrier, all that it had submitted and all that others had been answered', async () => {
    const given = settings();
    const writer = await startWriter(given, { entry: WRITER_THREAD });
    const other = new PortLog(writer.connect());
    const log = new PortLog(writer.connect());
    const engine = await Engine.open({ path, joined: { shared: given.shared, log } });
    const create = (store: string) => ({ id: store, time: 1, changes: [{ op: 'create_store', store } as const] });
    const submitted: Promise<unknown>[] = [];
    for (let round = 0; round < 20; round++) {
      await other.submit(create(`other-${round}`));
      // one of them is refused, which is an outcome too
      submitted.push(
        log.submit(create(`own-${round}`)),
        log.submit(create('other-0')).catch(() => {}),
      );
      await engine.barrier();
      expect(engine.storeNames()).toEqual(expect.arrayContaining([`other-${round}`, `own-${round}`]));
    }
    await Promise.all(submitted);
    await other.close();
    await engine.close();
    await expect(engine.barrier()).rejects.toMatchObject({ code: 'unavailable' });
    await writer.close();
  });

  it('answers what was submitted before it is closed', async () => {
    const writer = await startWriter(settings(), { entry: WRITER_THREAD });
    const log = new PortLog(writer.connect());
    const answer = log.submit({ id: 'c', time: 1, changes: [{ op: 'create_store', store: 's' }] });
    await log.close();
    expect(await answer).toEqual({ revision: 1, tuplesChanged: 0 });
    await writer.close();
  });

  it.each([
    { name: 'a file where the folder should be', given: () => writeFileSync(join(path, 'data'), '') },
    {
      name: 'data of another format',
      given: async () => {
        const tables = openTables({ path: join(path, 'data') });
        tables.meta.putSync(Buffer.from('format'), pack(99));
        await tables.root.close();
      },
    },
  ])('does not start on $name', async ({ given }) => {
    await given();
    await expect(startWriter(settings(join(path, 'data')), { entry: WRITER_THREAD })).rejects.toThrow();
  });
});
