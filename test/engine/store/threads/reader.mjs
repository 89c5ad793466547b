/**
 * A thread that reads as fast as it can while another one writes, and notes whatever contradicts itself. It runs the
 * built engine: a thread cannot load TypeScript. Its settings, cells and report are those of protocol.ts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Engine } from '../../../../dist/engine/index.js';

const STOP = 0;
const JOINED = 1;
const MOVES = 2;
const LOOKS_PER_TURN = 64;
const SHOWN_MAX = 10;

const { path, shared, cells: buffer, users, documents, seed } = workerData;
const cells = new Int32Array(buffer);
const log = { pending: 0, submit: () => Promise.reject(new Error('this thread reads')), close: () => Promise.resolve() };
const engine = await Engine.open({ path, joined: { shared, log }, cacheBytes: 4 * 2 ** 20 });
const store = engine.store('s');
const violations = [];
const revisions = new Set();
let state = seed;
let looks = 0;
let visits = 0;

parentPort.postMessage('ready');
while (Atomics.load(cells, STOP) === 0) {
  for (let i = 0; i < LOOKS_PER_TURN; i++) {
    const user = random(users);
    look(user, random(documents));
    visit(user);
  }
  // A new turn: lmdb ends the read transaction, and begins the next in the middle of whatever reads first.
  if (random(4) > 0) await nextTurn();
}
await engine.close();
parentPort.postMessage({ looks, visits, revisions: revisions.size, violations });

/** Every user is in exactly one of two groups, at every revision, on whatever way one asks. */
function look(user, document) {
  const seen = engine.read(() => {
    const subject = `user:${user}`;
    const is = (object, relation) => store.check({ object, relation, subject }).outcome === 'allowed';
    const doc = `doc:${document}`;
    return {
      revision: engine.revision(),
      groups: [1, 2].map((n) => is(`group:${n}`, 'member')),
      decisions: ['one', 'two', 'either', 'both', 'neither'].map((relation) => is(doc, relation)),
      listed: store.listObjects({ type: 'group', relation: 'member', subject }).items.filter((id) => id !== 'group:all'),
      forward: [1, 2].map((n) => store.readTuples({ object: `group:${n}`, relation: 'member', subject }).tuples.length),
      reverse: store.readTuples({ subject }).tuples.filter(({ object }) => object.startsWith('group:')).length,
      side: store.records.get('sides', String(user))?.document.side,
    };
  });
  looks++;
  revisions.add(seen.revision);
  const side = seen.groups.indexOf(true);
  const isOne = side === 0;
  const expected = {
    revision: seen.revision,
    groups: [isOne, !isOne],
    decisions: [isOne, !isOne, true, false, false],
    listed: [`group:${side + 1}`],
    forward: [isOne ? 1 : 0, isOne ? 0 : 1],
    reverse: 1,
    side: side + 1,
  };
  if (JSON.stringify(seen) !== JSON.stringify(expected)) note(`user ${user}: ${JSON.stringify(seen)}`);
}

/** What was acknowledged before is there. */
function visit(user) {
  const joined = Atomics.load(cells, JOINED);
  const object = 'group:all';
  if (joined > 0) {
    for (const subject of [`user:n${joined}`, `user:n${1 + random(joined)}`]) {
      const { outcome } = store.check({ object, relation: 'member', subject });
      if (outcome !== 'allowed') note(`${subject} of ${joined} is not in the group`);
    }
  }
  const moves = Atomics.load(cells, MOVES + user);
  const found = store.records.get('sides', String(user))?.document.moves ?? -1;
  if (found < moves) note(`user ${user} has moved ${moves} times, ${found} are seen`);
  visits++;
}

function note(violation) {
  if (violations.length < SHOWN_MAX) violations.push(violation);
}

/** From 0 up to and without `bound` (mulberry32). */
function random(bound) {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
}
