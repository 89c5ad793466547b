import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Engine } from '#engine';
import { packCommand } from '../../../engine/command/pack-command.ts';
import { FencedLog } from '../../../engine/log/fenced-log.ts';
import { LocalLog } from '../../../engine/log/local-log.ts';
import { allocateShared, type OpenedWriter, openWriter } from '../../../engine/store/open-writer.ts';
import { platformStore } from '../../../src/kernel/organizations/index.ts';
import { Lease } from '../../../src/server/cluster/lease.ts';

let path: string;
let opened: OpenedWriter;
let log: LocalLog;
let engine: Engine;
let time: number;

beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'relata-lease-'));
  const shared = allocateShared(2 ** 16);
  opened = openWriter({ path, shared, retention: { commitsMax: 1000, bytesMax: 1e6, storeBytesMax: 1e6 } });
  log = new LocalLog(opened.writer);
  engine = await Engine.open({ path, joined: { shared, log } });
  await engine.openStore(platformStore);
  time = 0;
});
afterEach(async () => {
  await engine.close();
  await opened.close();
  rmSync(path, { recursive: true });
});

const lease = (name: string, now = () => time) => new Lease({ engine, name, now });

/** Time goes on in small steps, and each lease has its turns. */
async function pass(milliseconds: number, ...leases: Lease[]): Promise<void> {
  for (const end = time + milliseconds; time < end; time += 500) for (const each of leases) await each.turn();
}

describe('the lease of the shared jobs', () => {
  it('is held by one of those who ask at the same time, for as long as that one has its turns', async () => {
    const leases = [lease('one'), lease('two'), lease('three')];
    await Promise.all(leases.map((each) => each.turn()));
    const held = leases.map(({ isHeld }) => isHeld);
    expect(held.filter(Boolean)).toHaveLength(1);
    for (let n = 0; n < 30; n++) {
      await pass(2000, ...leases);
      expect(leases.map(({ isHeld }) => isHeld)).toEqual(held);
    }
  });

  it('ends by itself before another node takes it, and what the one before still writes has no effect', async () => {
    const [one, two] = [lease('one'), lease('two')];
    await pass(6000, one, two);
    const fenced = new FencedLog(log, one.fence());
    const create = (store: string) => packCommand({ id: store, time: 1, changes: [{ op: 'create_store', store }] });
    await fenced.submit(create('before'));
    const since = time;
    for (let bothHeld = false; !two.isHeld; await pass(500, two)) {
      bothHeld ||= one.isHeld && two.isHeld;
      expect(bothHeld).toBe(false);
      expect(time - since).toBeLessThan(20_000);
    }
    expect(one.isHeld).toBe(false);
    await expect(fenced.submit(create('after'))).rejects.toMatchObject({ code: 'fenced' });
    await expect(fenced.submit(create('again'))).rejects.toMatchObject({ code: 'fenced' });
    expect([engine.hasStore('before'), engine.hasStore('after')]).toEqual([true, false]);
    const next = new FencedLog(log, two.fence());
    await next.submit(create('next'));
    await expect(next.submit(create('next'))).rejects.toMatchObject({ code: 'store_exists' });
    await one.turn();
    expect([one.isHeld, two.isHeld]).toEqual([false, true]);
  });

  it('goes to another node at once when it is given back, and the fence of before is past', async () => {
    const [one, two] = [lease('one'), lease('two')];
    await pass(2500, one, two);
    const before = one.fence();
    await one.release();
    expect(one.isHeld).toBe(false);
    await pass(2500, two);
    expect(two.isHeld).toBe(true);
    expect(two.fence().version).toBeGreaterThan(before.version);
  });
});
