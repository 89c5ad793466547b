import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change, PackedCommand } from '../../../../engine/command/command.ts';
import { decodeCommand, encodeCommand } from '../../../../engine/command/encoding/command-codec.ts';
import { packCommand } from '../../../../engine/command/pack-command.ts';
import { openTables } from '../../../../engine/store/environment.ts';
import { readPosition } from '../../../../engine/store/log/log-position.ts';
import { NameTable } from '../../../../engine/store/name-table.ts';
import { allocateShared, openWriter } from '../../../../engine/store/open-writer.ts';
import { applyAt } from '../../../../engine/store/write/log/apply-at.ts';
import { Writer } from '../../../../engine/store/write/writer.ts';
import { seed } from '../../../generated/seed.ts';
import { ScratchStore, storeOf, TIME } from '../scratch-store.ts';

let scratch: ScratchStore;
beforeEach(async () => {
  scratch = await ScratchStore.open();
});
afterEach(() => scratch.close());

const write = (n: number): Change => ({
  op: 'write_tuples',
  store: 's',
  tuples: [{ object: `doc:${n}`, relation: 'viewer', subject: 'user:u' }],
});
const refused: Change = { op: 'create_store', store: 's' };

/** A log: the command at position n is `log[n - 1]`. One is refused, one changes nothing. */
const log: readonly PackedCommand[] = [
  storeOf('s'),
  ...[1, 2, 2, 3, 4, 5].map((n) => [write(n)]),
  [refused],
  [write(6)],
].map((changes, i) => decodeCommand(encodeCommand(packCommand({ id: `c${i}`, time: TIME, changes }))));
const deliver = (to: ScratchStore, first: number, count: number) =>
  applyAt(to.writer.writer, first, log.slice(first - 1, first - 1 + count));

describe('the position of a log in the store', () => {
  it('counts every command, refused ones and those that change nothing too, and is there again when it opens', async () => {
    const outcomes = deliver(scratch, 1, log.length);
    expect(outcomes.map((outcome) => outcome?.ok)).toEqual(log.map((_, i) => i !== 7));
    expect(scratch.writer.writer.position).toBe(log.length);
    scratch = await scratch.reopen();
    expect(scratch.writer.writer.position).toBe(log.length);
  });

  it('is the sequence of a log that has no other', async () => {
    scratch.batch(storeOf('s'), [write(1)]);
    scratch.writer.probe();
    scratch.apply([write(2)]);
    expect(scratch.writer.writer.position).toBe(3);
  });

  it('does not move with a batch that cannot be stored, which is applied when it is delivered again', async () => {
    deliver(scratch, 1, 2);
    let isFull = true;
    const tables = openTables({ path: scratch.path });
    const { names, announced } = allocateShared(2 ** 16);
    const writer = new Writer({
      tables,
      fence: {
        transact: (_revision, task) =>
          tables.root.transactionSync(() => {
            const result = task();
            if (isFull) throw Object.assign(new Error('no space'), { code: 28 });
            return result;
          }),
      },
      names: new NameTable(names),
      announced: new Int32Array(announced),
      retention: { commitsMax: 100, bytesMax: 1e6, storeBytesMax: 1e6 },
      chainKey: undefined,
      onFault: () => {},
    });
    expect(() => applyAt(writer, 3, log.slice(2, 4))).toThrow(expect.objectContaining({ code: 'unavailable' }));
    expect([writer.position, readPosition(tables)]).toEqual([2, 2]);
    isFull = false;
    expect(applyAt(writer, 2, log.slice(1, 4))).toMatchObject([undefined, { ok: true }, { ok: true }]);
    expect([writer.position, readPosition(tables)]).toEqual([4, 4]);
    await tables.root.close();
  });

  it('passes over what was applied before, and gives it no outcome', () => {
    deliver(scratch, 1, 3);
    const rows = scratch.rows();
    expect(deliver(scratch, 1, 3)).toEqual([undefined, undefined, undefined]);
    expect(deliver(scratch, 2, 1)).toEqual([undefined]);
    expect(scratch.rows()).toEqual(rows);
    expect(deliver(scratch, 2, 4)).toMatchObject([undefined, undefined, { ok: true }, { ok: true }]);
    expect(scratch.writer.writer.position).toBe(5);
  });

  it.each([
    { name: 'a gap', first: 4, code: 'log_gap', details: { position: 2, first: 4 } },
    { name: 'position 0', first: 0, code: 'invalid_argument', details: {} },
    { name: 'half a position', first: 2.5, code: 'invalid_argument', details: {} },
  ])('refuses $name, and applies nothing', ({ first, code, details }) => {
    deliver(scratch, 1, 2);
    const rows = scratch.rows();
    expect(() => applyAt(scratch.writer.writer, first, log.slice(3))).toThrow(
      expect.objectContaining({ name: 'EngineError', code, details: expect.objectContaining(details) }),
    );
    expect(scratch.rows()).toEqual(rows);
    expect(scratch.writer.writer.position).toBe(2);
  });

  it('leads to the same store however often and in whatever batches the log is delivered', async () => {
    deliver(scratch, 1, log.length);
    const rows = scratch.rows();
    const back = fc.array(fc.tuple(fc.nat({ max: 4 }), fc.integer({ min: 1, max: 5 }), fc.boolean()), {
      minLength: 3,
      maxLength: 12,
    });
    const property = fc.asyncProperty(back, async (deliveries) => {
      let other = await ScratchStore.open();
      try {
        for (const [before, count, isReopened] of deliveries) {
          deliver(other, Math.max(1, other.writer.writer.position + 1 - before), count);
          if (isReopened) other = await other.reopen();
        }
        deliver(other, other.writer.writer.position + 1, log.length);
        expect(other.rows()).toEqual(rows);
        expect(other.writer.writer.position).toBe(log.length);
      } finally {
        await other.close();
      }
    });
    await fc.assert(property, { numRuns: 10, seed });
  });

  it('is not that of a copy, which is another log', async () => {
    deliver(scratch, 1, 4);
    const folder = mkdtempSync(join(tmpdir(), 'relata-position-'));
    try {
      await scratch.writer.backup(folder);
      const settings = { path: folder, shared: allocateShared(2 ** 16) };
      const copy = openWriter({ ...settings, retention: { commitsMax: 100, bytesMax: 1e6, storeBytesMax: 1e6 } });
      expect([copy.writer.revision, copy.writer.position]).toEqual([scratch.writer.writer.revision, 0]);
      await copy.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
