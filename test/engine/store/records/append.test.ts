import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../../engine/command/command.ts';
import { Engine } from '../../../../engine/engine.ts';
import { copyStore } from '../../../../engine/store/copy.ts';
import { openTables } from '../../../../engine/store/environment.ts';
import { recordKey } from '../../../../engine/store/layout.ts';
import { sequenceId } from '../../../../engine/store/records/sequence-id.ts';
import { recordBytes } from '../../../../engine/store/records/stored-record.ts';
import { walkRecords } from '../../../../engine/store/verify/records/walk-records.ts';
import { ScratchStore, storeOf } from '../scratch-store.ts';

const append = (document: unknown, store = 's', collection = 'journal'): Change => ({
  op: 'append_record',
  store,
  collection,
  document,
});
const drop = (sequence: number): Change => ({
  op: 'delete_record',
  store: 's',
  collection: 'journal',
  id: sequenceId(sequence),
});
/** Refused where it is written, after what stands before it in its command. */
const poison: Change = {
  op: 'put_record',
  store: 's',
  record: { collection: 'notes', id: 'bad', document: {}, indexes: { by: 'a\0b' } },
};

let scratch: ScratchStore;

beforeEach(async () => {
  scratch = await ScratchStore.openModelled();
});

afterEach(async () => {
  expect(await scratch.verify()).toMatchObject({ problems: [] });
  await scratch.close();
});

function journal(store = 's', collection = 'journal'): [number, unknown][] {
  const entries = scratch.engine.store(store).records.list(collection);
  return entries.map(({ id, document }) => [Number(id), document]);
}

describe('what is appended', () => {
  it('is numbered from 1, each collection of each store for itself, and its ids sort as its numbers do', () => {
    scratch.apply(storeOf('t'));
    scratch.apply([append('a'), append('b'), append('x', 't'), append('y', 's', 'other'), append('c')]);
    expect(journal()).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
    expect([journal('t'), journal('s', 'other')]).toEqual([[[1, 'x']], [[1, 'y']]]);
    const ids = [1, 9, 10, 99, 1e6, Number.MAX_SAFE_INTEGER].map(sequenceId);
    expect(ids.toSorted()).toEqual(ids);
    expect(scratch.engine.store('s').records.list('journal', { after: sequenceId(2) })).toHaveLength(1);
  });

  it('stands in the order of commits, whoever submits them at once', async () => {
    const commits = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const changes = [append([i, 0]), append([i, 1])];
        return { i, revision: (await scratch.engine.submit(scratch.engine.command(changes))).revision };
      }),
    );
    const byRevision = commits.toSorted((one, other) => one.revision - other.revision);
    expect(journal()).toEqual(
      byRevision.flatMap(({ i }, place) => [
        [place * 2 + 1, [i, 0]],
        [place * 2 + 2, [i, 1]],
      ]),
    );
  });

  it('never has a number that was given before, whatever was deleted, also after a restart', async () => {
    scratch.apply([append('a'), append('b'), append('c')]);
    scratch.apply([drop(3), drop(1)]);
    scratch.apply([append('d')]);
    scratch.apply([drop(2), drop(4)]);
    expect(journal()).toEqual([]);
    scratch = await scratch.reopen();
    scratch.apply([append('e')]);
    expect(journal()).toEqual([[5, 'e']]);
  });

  it.each([
    ['in a batch', [poison]],
    ['in a command that runs alone', [{ op: 'create_store', store: 's' } as const]],
    ['by a precondition of the batch', [{ op: 'delete_record', store: 'absent', collection: 'c', id: 'i' } as const]],
  ])('leaves no gap and no double where a command is refused %s', (_, refused) => {
    const outcomes = scratch.batch([append('a')], [append('lost'), ...refused], [append('b')]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
    scratch.apply([append('c')]);
    expect(journal()).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });

  it('is told in the change log with the id that it got', () => {
    scratch.apply([append('a')]);
    expect(scratch.engine.store('s').changes(1, 10).changes).toMatchObject([
      { records: [{ collection: 'journal', id: sequenceId(1), op: 'put' }] },
    ]);
  });

  it('takes no place that another record has', () => {
    const record = { collection: 'journal', id: sequenceId(1), document: 'put' };
    scratch.apply([{ op: 'put_record', store: 's', record }]);
    expect(scratch.batch([append('a')])).toMatchObject([{ ok: false, code: 'conflict' }]);
    expect(journal()).toEqual([[1, 'put']]);
    scratch.apply([drop(1)]);
  });

  it('goes on in a copy where the original was', async () => {
    scratch.apply([append('a'), append('b')]);
    scratch.apply([drop(2)]);
    const folder = join(scratch.path, 'copy');
    await copyStore(scratch.path, folder);
    const copy = await Engine.open({ path: folder });
    await copy.submit(copy.command([append('c')]));
    expect(
      copy
        .store('s')
        .records.list('journal')
        .map(({ id }) => Number(id)),
    ).toEqual([1, 3]);
    await copy.close();
    rmSync(folder, { recursive: true });
  });

  it('is walked without its count, and verification names an id that was never given', async () => {
    scratch.apply([append('a')]);
    const walked: string[] = [];
    await walkRecords(scratch.path, ({ collection, id }) => walked.push(`${collection}/${id}`));
    expect(walked).toEqual([`journal/${sequenceId(1)}`]);
    const tables = openTables({ path: scratch.path });
    const planted = recordKey(1, 'journal', sequenceId(7));
    tables.root.transactionSync(() => tables.records.putSync(planted, recordBytes(1, '{}')));
    expect((await scratch.verify()).problems).toEqual(['ids of 1 journal go on beyond 1']);
    tables.root.transactionSync(() => tables.records.removeSync(planted));
    await tables.root.close();
  });
});
