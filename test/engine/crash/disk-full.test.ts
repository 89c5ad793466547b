import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../../engine/engine.ts';
import type { Fault } from '../../../engine/fault.ts';
import { verifyStore } from '../../../engine/store/verify/verify.ts';
import { whyNotHere } from './power/machine.ts';
import { MODEL } from './workload.ts';

const DISK = 'size=4m';
const WRITERS = 16;
const COMMITS = 100;
const obstacle = whyNotHere();

const tuplesOf = (n: number) =>
  Array.from({ length: 20 }, (_, i) => ({ object: `doc:${n}.${i}`, relation: 'viewer', subject: `user:${n}` }));

describe('a full disk', () => {
  it('refuses commits, keeps all that were acknowledged, and takes more when there is room', {
    timeout: 180_000,
  }, async ({ skip }) => {
    if (obstacle !== undefined) skip(obstacle);
    const folder = mkdtempSync(join(tmpdir(), 'relata-full-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', folder]);
    try {
      const path = join(folder, 'data');
      const faults: Fault[] = [];
      const onFault = (fault: Fault) => faults.push(fault);
      const engine = await Engine.open({ path, nameBytes: 2 ** 16, cacheBytes: 2 ** 20, onFault });
      const store = await engine.createStore('s');
      await store.writeModel(MODEL);
      const kept: number[] = [];
      const codes = new Set<string>();
      const write = async (writer: number) => {
        for (let n = writer; n < COMMITS * WRITERS; n += WRITERS) {
          await store.write({ writes: tuplesOf(n) }).then(
            () => kept.push(n),
            (error) => codes.add(error.code),
          );
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
      expect(kept.length).toBeGreaterThan(WRITERS);
      expect(kept.length).toBeLessThan(COMMITS * WRITERS);
      expect([...codes]).toEqual(['unavailable']);
      // a write that the last space cuts short is an EIO to LMDB
      const { EIO, ENOSPC } = constants.errno;
      const other = faults.filter(({ reach, code }) => reach !== 'batch' || (code !== EIO && code !== ENOSPC));
      expect(other).toEqual([]);
      expect(faults).not.toEqual([]);
      execFileSync('mount', ['-o', 'remount,size=64m', folder]);
      await store.write({ writes: tuplesOf(1_000_000) });
      const expected = [...kept, 1_000_000].flatMap(tuplesOf);
      const denied = store.checkMany(expected).filter(({ outcome }) => outcome !== 'allowed');
      expect(denied).toEqual([]);
      await engine.close();
      expect(await verifyStore(path)).toMatchObject({ problems: [], tuples: expected.length });
    } finally {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
