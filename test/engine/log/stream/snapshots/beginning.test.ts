import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Engine } from '../../../../../engine/engine.ts';
import {
  type FoundLog,
  type OwnData,
  problemOfBeginning,
} from '../../../../../engine/log/stream/snapshots/beginning.ts';
import { openTables } from '../../../../../engine/store/environment.ts';
import { beginSharedLog } from '../../../../../engine/store/folder/log-identity.ts';
import { storeOf } from '../../../store/scratch-store.ts';
import { FaultyStream, SharedMessages } from '../faulty-stream.ts';
import { StreamNode } from '../node.ts';
import { append, submit } from '../nodes-of-a-stream.ts';

const message = Buffer.from('the message');
const single: OwnData = {
  id: 'aa'.repeat(8),
  isUsed: true,
  isOfNode: false,
  sequence: 0,
  digest: Buffer.alloc(32),
  carried: new Map(),
};
const node: OwnData = { ...single, isOfNode: true, sequence: 7, digest: hash('sha256', message, 'buffer') };
const found: FoundLog = { log: node.id, before: undefined, first: 1, last: 9, message, lacksBeside: false };

it.each<{
  name: string;
  kind: 'init' | 'repair';
  own: OwnData;
  found: FoundLog | undefined;
  force?: boolean;
  problem: RegExp | undefined;
}>([
  { name: 'a single node and no log', kind: 'init', own: single, found: undefined, problem: undefined },
  {
    name: 'a single node and an empty log',
    kind: 'init',
    own: single,
    found: { ...found, last: 0 },
    problem: undefined,
  },
  { name: 'a single node and a log', kind: 'init', own: single, found, problem: /has a log already/ },
  { name: 'a single node and a log, by force', kind: 'init', own: single, found, force: true, problem: undefined },
  {
    name: 'a single node and a log that another began',
    kind: 'init',
    own: single,
    found: { ...found, last: 0, before: 'bb'.repeat(8) },
    problem: /has a log already/,
  },
  {
    name: 'a single node and a log that it had begun',
    kind: 'init',
    own: single,
    found: { ...found, last: 0, before: single.id },
    problem: undefined,
  },
  {
    name: 'a restored backup and a log that another one began',
    kind: 'init',
    own: { ...single, id: '' },
    found: { ...found, last: 0, before: '' },
    problem: /has a log already/,
  },
  { name: 'an empty folder', kind: 'init', own: { ...single, isUsed: false }, found: undefined, problem: /is empty/ },
  { name: 'a node', kind: 'init', own: node, found: undefined, problem: /cluster repair/ },
  { name: 'a single node', kind: 'repair', own: single, found: undefined, problem: /cluster init/ },
  { name: 'a node whose log is gone', kind: 'repair', own: node, found: undefined, problem: undefined },
  {
    name: 'a node whose log was set back',
    kind: 'repair',
    own: node,
    found: { ...found, last: 6 },
    problem: undefined,
  },
  {
    name: 'a node whose log has another message there',
    kind: 'repair',
    own: node,
    found: { ...found, message: Buffer.from('another') },
    problem: undefined,
  },
  {
    name: 'a node whose log refers to what another stream has lost',
    kind: 'repair',
    own: node,
    found: { ...found, lacksBeside: true },
    problem: undefined,
  },
  { name: 'a node that can read on', kind: 'repair', own: node, found, problem: /nothing to repair/ },
  { name: 'a node that can read on, by force', kind: 'repair', own: node, found, force: true, problem: undefined },
  {
    name: 'a node that was away',
    kind: 'repair',
    own: node,
    found: { ...found, first: 9, message: undefined },
    problem: /nothing to repair/,
  },
  {
    name: 'a node of another log',
    kind: 'repair',
    own: node,
    found: { ...found, log: 'bb'.repeat(8) },
    problem: undefined,
  },
  {
    name: 'a node of the log before',
    kind: 'repair',
    own: node,
    found: { ...found, log: 'bb'.repeat(8), before: node.id },
    problem: /repaired from another node/,
  },
])('$kind of $name', ({ kind, own, found: log, force = false, problem }) => {
  const said = problemOfBeginning(kind, own, log, force);
  if (problem === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(problem);
});

it('data that begin a log go on in it, and are no longer those of a single node', async () => {
  const messages = new SharedMessages();
  const before = await StreamNode.open(new FaultyStream(new SharedMessages()));
  await submit(before, [...storeOf('s'), append('from before')]);
  const revision = before.engine.revision();
  await before.close();
  const tables = openTables({ path: before.path });
  tables.root.transactionSync(() => beginSharedLog(tables, messages.log));
  await tables.root.close();
  await expect(async () => Engine.open({ path: before.path })).rejects.toMatchObject({ code: 'locked' });
  const after = await StreamNode.open(new FaultyStream(messages), { path: before.path });
  expect(after.engine.logIdentity).toEqual({ id: messages.log, since: revision });
  await submit(after, [append('after')]);
  expect(after.log.status().sequence).toBe(1);
  await after.close();
  rmSync(before.path, { recursive: true });
});
