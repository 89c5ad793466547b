import { describe, expect, it } from 'vitest';
import { problemsOf } from './check-history.ts';
import type { CheckOperation, Commit, History, NodeContent, WriteOperation } from './history.ts';

/** Bob sees the document until the second write takes that from him; the third is not acknowledged, and was applied. */
const writes: readonly WriteOperation[] = [
  { ...acknowledged('w1', 10), writes: ['w1', 'bob'], began: 0, ended: 1 },
  {
    ...acknowledged('w2', 20),
    deletes: ['bob'],
    requires: [{ fact: 'bob', isPresent: true }],
    began: 2,
    ended: 3,
  },
  { ...write('w3'), outcome: 'unknown', began: 4, ended: 9 },
  { ...write('w4'), outcome: 'refused', requires: [{ fact: 'bob', isPresent: true }], began: 4, ended: 5 },
];
const checks: readonly CheckOperation[] = [
  { fact: 'bob', allowed: true, revision: 12, token: 10, began: 1, ended: 2 },
  { fact: 'bob', allowed: true, revision: 12, began: 4, ended: 5 },
  { fact: 'bob', allowed: false, revision: 20, token: 20, began: 4, ended: 5 },
  { fact: 'bob', allowed: false, revision: 25, isFullyConsistent: true, began: 6, ended: 7 },
];
const commits: readonly Commit[] = [
  { revision: 10, writes: ['w1', 'bob'], deletes: [] },
  { revision: 20, writes: ['w2'], deletes: ['bob'] },
  { revision: 30, writes: ['w3'], deletes: [] },
];
const node: NodeContent = {
  name: 'node 1',
  sequence: 7,
  hash: 'h',
  commits,
  facts: ['w1', 'w2', 'w3'],
  records: new Map([
    ['w1', 1],
    ['w2', 1],
    ['w3', 1],
  ]),
};
const good: History = {
  writes,
  checks,
  nodes: [node, { ...node, name: 'node 2' }],
  holds: (facts, asked) => facts.has(asked),
};

function write(mark: string): Omit<WriteOperation, 'outcome' | 'began' | 'ended'> {
  return { mark, writes: [mark], deletes: [], requires: [] };
}

function acknowledged(mark: string, revision: number): Omit<WriteOperation, 'began' | 'ended'> {
  return { ...write(mark), outcome: 'acknowledged', revision };
}

const withNode = (change: Partial<NodeContent>): History => ({
  ...good,
  nodes: [node, { ...node, name: 'node 2', ...change }],
});
const withNodes = (change: Partial<NodeContent>): History => ({
  ...good,
  nodes: good.nodes.map((each) => ({ ...each, ...change })),
});
const withCheck = (check: Partial<CheckOperation>): History => ({
  ...good,
  checks: [...checks, { fact: 'bob', allowed: false, revision: 30, began: 10, ended: 11, ...check }],
});
const withWrite = (at: number, change: Partial<WriteOperation>): History => ({
  ...good,
  writes: writes.map((each, index) => (index === at ? { ...each, ...change } : each)),
});
const withRecord = (mark: string, count: number): ReadonlyMap<string, number> =>
  new Map([...node.records, [mark, count]]);

interface BadHistory {
  readonly name: string;
  readonly given: History;
  readonly expect: readonly RegExp[];
}

const bad: readonly BadHistory[] = [
  { name: 'no node', given: { ...good, nodes: [] }, expect: [/^nodes:/] },
  {
    name: 'an acknowledged write that no node has',
    given: {
      ...withNodes({
        commits: commits.slice(1),
        facts: ['w2', 'w3'],
        records: new Map([
          ['w2', 1],
          ['w3', 1],
        ]),
      }),
      checks: [],
    },
    expect: [/^lost: w1 .* not at node 1/, /^lost: w1 .* no record/, /^lost: w1/, /^lost: w1/, /^requirement: w2/],
  },
  {
    name: 'an acknowledged write without its record at one node',
    given: withNode({ records: new Map([...node.records].filter(([mark]) => mark !== 'w1')) }),
    expect: [/^lost: w1 .* node 2 has no record/],
  },
  {
    name: 'a write that stands twice',
    given: withNodes({ commits: [...commits, { revision: 40, writes: ['w3'], deletes: [] }] }),
    expect: [/^repeated: node 1 applied w3 2 times/, /^repeated: node 2/],
  },
  {
    name: 'a write that was put on record twice, and so done twice',
    given: withNodes({ records: withRecord('w2', 2) }),
    expect: [/^repeated: node 1 applied w2 2 times/, /^repeated: node 2/],
  },
  {
    name: 'a refused write that was applied',
    given: {
      ...withNodes({
        commits: [...commits, { revision: 40, writes: ['w4'], deletes: [] }],
        facts: [...node.facts, 'w4'],
        records: withRecord('w4', 1),
      }),
    },
    expect: [/^refused: w4/, /^refused: w4/, /^requirement: w4/],
  },
  {
    name: 'a commit that nobody asked for',
    given: withNodes({
      commits: [...commits, { revision: 40, writes: ['eve'], deletes: [] }],
      facts: [...node.facts, 'eve'],
    }),
    expect: [/^unasked: .* 40 of node 1/, /^unasked: .* 40 of node 2/],
  },
  { name: 'nodes at other messages', given: withNode({ sequence: 8 }), expect: [/^different: node 2 has message 8/] },
  {
    name: 'nodes of other content',
    given: withNode({ hash: 'other' }),
    expect: [/^different: node 2 has other, and node 1 has h/],
  },
  {
    name: 'nodes of other commits, which make the same',
    given: withNode({ commits: commits.map((each, n) => (n === 2 ? { ...each, revision: 31 } : each)) }),
    expect: [/^different: the commits of node 2/],
  },
  {
    name: 'tuples that no commit has made',
    given: withNode({ facts: [...node.facts, 'bob'] }),
    expect: [/^different: the tuples of node 2/],
  },
  {
    name: 'a write at another revision than it was answered with',
    given: withWrite(0, { revision: 11 }),
    expect: [/^misplaced: w1 was answered with revision 11, and stands at 10/],
  },
  {
    name: 'a write before one that was acknowledged when it began',
    given: withWrite(0, { began: 3.5, ended: 4 }),
    expect: [/^misplaced: w1 stands at 10, and began after 20/],
  },
  {
    name: 'a write of unknown outcome before one that was acknowledged when it began',
    given: {
      ...withNodes({
        commits: [commits[0] as Commit, { ...(commits[2] as Commit), revision: 15 }, commits[1] as Commit],
      }),
    },
    expect: [/^misplaced: w3 stands at 15/],
  },
  {
    name: 'two writes that were acknowledged at the same expected version',
    given: {
      ...withNodes({
        commits: [...commits, { revision: 40, writes: ['w5'], deletes: [] }],
        facts: [...node.facts, 'w5'],
        records: withRecord('w5', 1),
      }),
      writes: [
        ...writes,
        { ...acknowledged('w5', 40), requires: [{ fact: 'bob', isPresent: true }], began: 10, ended: 11 },
      ],
    },
    expect: [/^requirement: w5 was applied where bob was absent/],
  },
  {
    name: 'an answer from before its token',
    given: withCheck({ revision: 19, allowed: true, token: 20 }),
    expect: [/^stale: bob was answered from 19, and 20 was asked for/, /^new enemy: bob/],
  },
  {
    name: 'an answer from before its token, which is right by chance',
    given: withCheck({ revision: 20, token: 21 }),
    expect: [/^stale:/],
  },
  {
    name: 'a fully consistent answer from before what was acknowledged',
    given: withCheck({ revision: 19, allowed: true, isFullyConsistent: true }),
    expect: [/^stale: .* 20 was asked for/, /^new enemy: bob/],
  },
  {
    name: 'an answer that its state does not give',
    given: withCheck({ revision: 12, allowed: false }),
    expect: [/^wrong: bob was answered false at 12/],
  },
  {
    name: 'a new enemy: the answer says it is new, and is that from before the removal',
    given: withCheck({ revision: 30, allowed: true, token: 20 }),
    expect: [/^wrong: bob was answered true at 30/, /^new enemy: bob was allowed, and was not from 20 on/],
  },
];

describe('the history checker', () => {
  it('finds nothing in a history as it must be', () => expect(problemsOf(good)).toEqual([]));

  it('takes a write of unknown outcome that was never applied', () => {
    const without = { commits: commits.slice(0, 2), facts: ['w1', 'w2'] };
    const records = new Map([...node.records].filter(([mark]) => mark !== 'w3'));
    expect(problemsOf(withNodes({ ...without, records }))).toEqual([]);
  });

  it('takes an answer of a right that came back after its removal', () => {
    const back = { commits: [...commits, { revision: 40, writes: ['w5', 'bob'], deletes: [] }] };
    const content = { ...back, facts: [...node.facts, 'w5', 'bob'], records: withRecord('w5', 1) };
    const given = {
      ...withNodes(content),
      writes: [...writes, { ...acknowledged('w5', 40), writes: ['w5', 'bob'], began: 10, ended: 11 }],
      checks: [{ fact: 'bob', allowed: true, revision: 45, token: 20, began: 12, ended: 13 }],
    };
    expect(problemsOf(given)).toEqual([]);
  });

  it.each(bad)('finds $name', ({ given, expect: expected }) => {
    const problems = problemsOf(given);
    expect(problems).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(problems[index]).toMatch(pattern);
  });
});
