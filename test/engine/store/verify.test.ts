import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '../../../engine/command/command.ts';
import { packCommand } from '../../../engine/command/pack-command.ts';
import { edgeKey } from '../../../engine/store/edge-key.ts';
import { openTables, type Tables } from '../../../engine/store/environment.ts';
import { pack, recordKey, revisionKey, shapeKey, u32Key } from '../../../engine/store/layout.ts';
import { allocateShared, openWriter } from '../../../engine/store/open-writer.ts';
import { verifyStore } from '../../../engine/store/verify/verify.ts';

const TIME = 1_700_000_000_000;
const doc = (n: number, more = {}) => ({ object: `doc:${n}`, relation: 'viewer', subject: `user:${n}`, ...more });

const history: readonly Change[][] = [
  [{ op: 'create_store', store: 's' }],
  [
    {
      op: 'write_model',
      store: 's',
      model: {
        id: 'm1',
        source: { dsl: '' },
        json: {},
        kinds: [
          ['user', ''],
          ['user', '*'],
          ['doc', ''],
          ['doc', 'viewer'],
        ],
      },
    },
  ],
  [{ op: 'write_tuples', store: 's', tuples: [doc(1), doc(2), doc(3), { ...doc(4), subject: 'user:*' }] }],
  [
    {
      op: 'write_tuples',
      store: 's',
      tuples: [doc(5, { expiresAt: TIME + 1000 }), doc(6, { condition: { name: 'c', context: { a: 1 } } })],
    },
    {
      op: 'put_record',
      store: 's',
      record: { collection: 'things', id: 'a', document: {}, indexes: { by: 'x' }, unique: { name: 'n' } },
    },
  ],
  [{ op: 'delete_tuples', store: 's', tuples: [doc(2)] }],
  [{ op: 'write_tuples', store: 's', tuples: [doc(1, { expiresAt: TIME + 5 }), doc(5)] }],
];

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'relata-verify-'));
});

afterEach(() => rmSync(path, { recursive: true, force: true }));

async function write(retention = { commitsMax: 100, bytesMax: 1e6, storeBytesMax: 1e6 }): Promise<void> {
  const opened = openWriter({ path, shared: allocateShared(4096), retention });
  history.forEach((changes, i) => {
    const [outcome] = opened.writer.apply([packCommand({ id: `c${i}`, time: TIME, changes })]);
    expect(outcome).toMatchObject({ ok: true });
  });
  await opened.close();
}

async function damage(task: (tables: Tables) => void): Promise<void> {
  const tables = openTables({ path });
  task(tables);
  await tables.root.close();
}

/** doc:3#viewer@user:3: nodes are numbered as they come, object before subject. */
const plain = { ...edgeKey(), store: 1, node: 5, kinds: (4 << 16) | 1, other: 6 };
const plainReversed = { ...edgeKey(), store: 1, node: 6, kinds: (1 << 16) | 4, other: 5 };
const EMPTY = Buffer.alloc(0);

describe('verifyStore', () => {
  it('finds nothing in data that the writer wrote', async () => {
    await write();
    const report = await verifyStore(path);
    expect(report).toEqual({
      revision: 6,
      stores: 1,
      tuples: 5,
      records: 2,
      commits: 6,
      problems: [],
      problemCount: 0,
    });
  });

  it('accepts a log of which the oldest commits are gone', async () => {
    await write({ commitsMax: 2, bytesMax: 1e6, storeBytesMax: 1e6 });
    expect(await verifyStore(path)).toMatchObject({ commits: 2, problems: [] });
  });

  it('refuses a folder without data', async () => {
    await expect(verifyStore(path)).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('says so where a table is missing that this version writes', async () => {
    await write();
    await damage((tables) => (tables.suspended as unknown as { dropSync(): void }).dropSync());
    await expect(verifyStore(path)).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringMatching(/no table suspended/),
    });
  });

  it.each<{ name: string; given: (tables: Tables) => void; expect: RegExp }>([
    { name: 'a tuple of one index', given: (t) => t.reverse.removeSync(plainReversed), expect: /not in the reverse/ },
    {
      name: 'a tuple of the other',
      given: (t) => t.forward.removeSync(plain),
      expect: /reverse index: 4 stored, 3|5 stored/,
    },
    {
      name: 'a tuple that nothing wrote',
      given: (t) => {
        t.forward.putSync({ ...plain, other: 2 }, EMPTY);
        t.reverse.putSync({ ...plainReversed, node: 2 }, EMPTY);
      },
      expect: /tuples: 5 stored, 6 counted/,
    },
    {
      name: 'a tuple lost from both',
      given: (t) => {
        t.forward.removeSync(plain);
        t.reverse.removeSync(plainReversed);
      },
      expect: /commit 3 wrote tuple 5#4@6#1 of store 1, which is not there/,
    },
    { name: 'a wrong count', given: (t) => t.shapes.putSync(shapeKey(1, (4 << 16) | 1, ''), pack(9)), expect: /shape/ },
    { name: 'a node without its name', given: (t) => t.nodes.removeSync(u32Key(1, 3)), expect: /node 3 is missing/ },
    {
      name: 'a name that leads elsewhere',
      given: (t) => t.names.putSync(Buffer.from('\0\0\0\x01doc:1'), u32Key(7)),
      expect: /node 1 is doc:1, which leads elsewhere/,
    },
    {
      name: 'a missing expiry',
      given: (t) => {
        for (const key of t.expiry.getKeys({ limit: 1 })) t.expiry.removeSync(Buffer.from(key));
      },
      expect: /not in the expiry index/,
    },
    {
      name: 'a gap in the log',
      given: (t) => t.log.removeSync(revisionKey(4)),
      expect: /commit 5 where 4 should stand/,
    },
    { name: 'a log cut short', given: (t) => t.log.removeSync(revisionKey(6)), expect: /log ends at commit 5/ },
    {
      name: 'a lost unique key',
      given: (t) => {
        for (const key of t.uniques.getKeys({ limit: 1 })) t.uniques.removeSync(Buffer.from(key));
      },
      expect: /does not hold its unique name/,
    },
    {
      name: 'a key of no record',
      given: (t) => t.indexes.putSync(Buffer.from('\0\0\0\x01things\0by\0y\0b'), EMPTY),
      expect: /record indexes: 2 stored, 1 counted/,
    },
    {
      name: 'a row of no store',
      given: (t) => t.records.putSync(Buffer.from('\0\0\0\x09things\0a'), pack({ version: 1 })),
      expect: /a record of store 9, which does not exist/,
    },
    {
      name: 'a record whose document is null',
      given: (t) =>
        t.records.putSync(
          recordKey(1, 'things', 'a'),
          Buffer.from('{"version":1,"document":null,"indexes":{"by":"x"},"unique":{"name":"n"}}'),
        ),
      expect: /record things\/a of store 1 has no document/,
    },
    ...['{"version":1,"document":{"', '{}', '\x01', '\xc1', ''].map((text) => ({
      name: `a record that is ${JSON.stringify(text)}`,
      given: (t: Tables) => t.records.putSync(Buffer.from('\0\0\0\x01things\0a'), Buffer.from(text, 'latin1')),
      expect: /record things\/a of store 1 cannot be read/,
    })),
  ])('finds $name', async ({ given, expect: expected }) => {
    await write();
    await damage(given);
    const { problems, problemCount } = await verifyStore(path);
    expect(problemCount).toBeGreaterThan(0);
    expect(problems.join('\n')).toMatch(expected);
  });
});
