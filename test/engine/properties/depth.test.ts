import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../engine/index.ts';
import { parseTuple } from '../../../engine/tuple.ts';
import { ScratchEngine } from '../scratch-engine.ts';

const DEPTH_MAX = 25;

/** Ways to stand `hops` tuples away from doc:0, each hop a userset or a parent, and user:deep in the last of them. */
const chains = [
  {
    name: 'nested groups',
    define: ['viewer: [user, doc#viewer]'],
    link: (from: string, to: string) => `${from}#viewer@${to}#viewer`,
  },
  {
    name: 'parents',
    define: ['parent: [doc]', 'viewer: [user] or viewer from parent'],
    link: (from: string, to: string) => `${from}#parent@${to}`,
  },
  {
    name: 'parents through computed relations, which cost nothing',
    define: ['parent: [doc]', 'viewer: [user] or reader', 'reader: seer', 'seer: viewer from parent'],
    link: (from: string, to: string) => `${from}#parent@${to}`,
  },
  {
    name: 'groups under an intersection',
    define: ['any: [user:*]', 'viewer: [user, doc#reader]', 'reader: viewer and any'],
    link: (from: string, to: string) => `${from}#viewer@${to}#reader`,
  },
];

describe('the depth of an evaluation', () => {
  let stores = 0;
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open();
  });
  afterAll(() => scratch?.close());

  describe.each(chains)('through $name', ({ define, link }) => {
    const build = async (hops: number, ...more: string[]): Promise<Store> => {
      const store = await scratch.engine.createStore(`chain-${stores++}`);
      const defines = define.map((line) => `    define ${line}\n`).join('');
      await store.writeModel({ dsl: `model\n  schema 1.1\ntype user\ntype doc\n  relations\n${defines}` });
      const tuples = Array.from({ length: hops }, (_, i) => link(`doc:${i}`, `doc:${i + 1}`));
      const open = define[0]?.startsWith('any') ? tuples.map((_, i) => `doc:${i + 1}#any@user:*`) : [];
      const writes = [...tuples, ...open, `doc:${hops}#viewer@user:deep`, ...more].map(parseTuple);
      await store.write({ writes });
      return store;
    };
    const question = { object: 'doc:0', relation: 'viewer', subject: 'user:deep' };

    it(`reaches ${DEPTH_MAX} hops`, async () => {
      const store = await build(DEPTH_MAX);
      expect(store.check(question)).toEqual({ outcome: 'allowed' });
      expect(store.check({ ...question, subject: 'user:other' })).toEqual({ outcome: 'denied' });
      const subjects = store.listSubjects({ object: 'doc:0', relation: 'viewer', subjectType: 'user' });
      expect(subjects.items).toEqual(['user:deep']);
      const objects = store.listObjects({ type: 'doc', relation: 'viewer', subject: 'user:deep' });
      expect(objects.items).toHaveLength(DEPTH_MAX + 1);
    });

    it('fails one hop further, in every kind of question', async () => {
      const store = await build(DEPTH_MAX + 1);
      const tooDeep = expect.objectContaining({ code: 'too_deep' });
      expect(() => store.check(question)).toThrow(tooDeep);
      expect(() => store.explain(question)).toThrow(tooDeep);
      expect(() => store.listSubjects({ object: 'doc:0', relation: 'viewer', subjectType: 'user' })).toThrow(tooDeep);
      expect(() => store.listObjects({ type: 'doc', relation: 'viewer', subject: 'user:deep' })).toThrow(tooDeep);
    });

    it.each([1, 13, DEPTH_MAX - 3])('counts the shortest way: on from doc:%i', async (from) => {
      const hops = DEPTH_MAX + 10;
      const store = await build(hops, link(`doc:${from}`, `doc:${hops - 2}`));
      expect(store.check(question)).toEqual({ outcome: 'allowed' });
    });
  });
});
