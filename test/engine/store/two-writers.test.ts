import { expect, it } from 'vitest';
import { openTables } from '../../../engine/store/environment.ts';
import { revisionKey } from '../../../engine/store/layout.ts';
import { modelOf, ScratchStore } from './scratch-store.ts';
import { writeTwice } from './two-writers.ts';

const MODEL = modelOf(
  'm1',
  `model
  schema 1.1
type user
type document
  relations
    define viewer: [user]
`,
);

async function twiceWritten(...users: readonly string[]): Promise<ScratchStore> {
  const scratch = await ScratchStore.open();
  scratch.apply([
    { op: 'create_store', store: 's' },
    { op: 'write_model', store: 's', model: MODEL },
  ]);
  await scratch.engine.close();
  await scratch.writer.close();
  await writeTwice(scratch.path, 's', users);
  return scratch;
}

it('verify names who shares an id, and says what to do', async () => {
  const scratch = await twiceWritten('user:anne', 'user:beth', 'user:carol', 'user:dave');
  const { problems, advice } = await scratch.verify();
  expect(problems).toContain('store s: user:anne and user:beth share node 3');
  expect(problems).toContain('store s: user:carol and user:dave share node 4');
  expect(advice).toMatch(/two processes have written.*restore the last backup/);
  const again = await scratch.reopen();
  expect(() => again.engine.requireOneHistory()).toThrow(
    expect.objectContaining({
      code: 'corrupt',
      message: expect.stringMatching(/2 names share.*restore the last backup/),
    }),
  );
  await again.close();
});

it('verify tells of a log that does not end at the revision, and says what to do', async () => {
  const scratch = await ScratchStore.openModelled();
  const tables = openTables({ path: scratch.path });
  tables.meta.putSync(Buffer.from('revision'), revisionKey(7));
  const { problems, advice } = await scratch.verify();
  expect(problems).toContain('the log ends at commit 1, but the revision is 7');
  expect(advice).toMatch(/restore the last backup/);
  expect(() => scratch.engine.requireOneHistory()).toThrow(/ends at commit 1, but the revision is 7/);
  await tables.root.close();
  await scratch.close();
});

it('what one writer wrote is no damage: new, written, with a store deleted and half swept', async () => {
  const scratch = await ScratchStore.open();
  scratch.engine.requireOneHistory();
  scratch.apply([
    { op: 'create_store', store: 's' },
    { op: 'write_model', store: 's', model: MODEL },
  ]);
  const users = Array.from({ length: 20 }, (_, n) => ({
    object: 'document:1',
    relation: 'viewer',
    subject: `user:${n}`,
  }));
  scratch.apply([{ op: 'write_tuples', store: 's', tuples: users }]);
  scratch.engine.requireOneHistory();
  scratch.apply([{ op: 'delete_store', store: 's' }]);
  for (let left = 12; left > 0; left--) {
    scratch.apply([{ op: 'sweep_store', storeNumber: 1, limit: 7 }]);
    scratch.engine.requireOneHistory();
  }
  await scratch.close();
});
