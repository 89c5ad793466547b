import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Engine } from '#engine';
import { commit } from '../../../../src/kernel/commits/index.ts';
import { platformStore } from '../../../../src/kernel/organizations/index.ts';
import type { Background } from '../../../../src/platform/index.ts';
import { agreeAtStart, agreeOnFormats } from '../../../../src/server/cluster/snapshots/agree-on-formats.ts';
import { logRecordId, logRecords } from '../../../../src/server/cluster/snapshots/log-record.ts';

it('a node writes what all known nodes read: nothing is known before the first record, and an older node lowers it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'relata-formats-'));
  const engine = await Engine.open({ path: join(folder, 'store') });
  try {
    const told: number[] = [];
    agreeAtStart(engine, { agreeOn: (format) => told.push(format) });
    await engine.openStore(platformStore);
    agreeAtStart(engine, { agreeOn: (format) => told.push(format) });
    let look: () => unknown = () => undefined;
    const background = {
      every(_name: string, _ms: number, turn: () => unknown) {
        look = turn;
        return { stop: async () => {} };
      },
    } as unknown as Background;
    agreeOnFormats(engine, { agreeOn: (format) => told.push(format) }, background);
    const note = (...formats: (number | undefined)[]) =>
      commit(engine, platformStore, (changes) => {
        const nodes = formats.map((log, i) => {
          const node = { name: `n:${i}`, sequence: 1, seen: 1 };
          return log === undefined ? node : { ...node, formats: { log, store: 4 } };
        });
        changes.put(logRecords, logRecordId, { nodes });
      });
    look();
    await note();
    look();
    expect(told).toEqual([]);
    for (const formats of [[2], [2, 3], [3, 3], [3, undefined], [3]]) {
      await note(...formats);
      look();
    }
    await note(3, undefined);
    agreeAtStart(engine, { agreeOn: (format) => told.push(format) });
    expect(told).toEqual([2, 3, 1, 3, 1]);
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
});
