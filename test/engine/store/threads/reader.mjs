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
const CLOSE_LOOK_EVERY = 64;
const SHOWN_MAX = 10;
/** Too small for the lists of all users: what one decision asks for is cached in part. */
const CACHE_BYTES = 1024;

const { path, shared, cells: buffer, users, seed } = workerData;
const cells = new Int32Array(buffer);
const log = {
  pending: 0,
  submit: () => Promise.reject(new Error('this thread reads')),
  close: () => Promise.resolve(),
};
const engine = await Engine.open({ path, joined: { shared, log }, cacheBytes: CACHE_BYTES });
const store = engine.store('s');
const violations = [];
const revisions = new Set();
let state = seed;
let looks = 0;
let visits = 0;

parentPort.postMessage('ready');
while (Atomics.load(cells, STOP) === 0) {
  // lmdb ends a read transaction by a timer, and begins the next in the middle of whatever reads first.
  await nextTurn();
  for (let left = random(4); left >= 0; left--) look(random(users));
  visit(random(users));
  if (random(CLOSE_LOOK_EVERY) === 0) lookClosely(random(users));
}
await engine.close();
parentPort.postMessage({ looks, visits, revisions: revisions.size, violations });

/** Every user is in exactly one of its groups, at every revision: no decision may have seen both, or neither. */
function look(user) {
  const subject = `user:${user}`;
  const object = `doc:${user}`;
  const is = (relation) => store.check({ object, relation, subject }).outcome === 'allowed';
  if (random(2) === 0 ? !is('either') : is('both')) note(`${subject} was in neither group, or in both`);
  const [one, two] = store.checkMany(['one', 'two'].map((relation) => ({ object, relation, subject })));
  if (one.outcome === two.outcome) note(`${subject}: ${one.outcome} by both groups`);
  looks++;
}

/** The same on every way there is to ask, through either index, and by the record that each move writes. */
function lookClosely(user) {
  const subject = `user:${user}`;
  const groups = [1, 2].map((n) => `group:${user}.${n}`);
  const seen = engine.read(() => {
    const is = (object, relation) => store.check({ object, relation, subject }).outcome === 'allowed';
    return {
      revision: engine.revision(),
      groups: groups.map((object) => is(object, 'member')),
      decisions: ['one', 'two', 'either', 'both', 'neither'].map((relation) => is(`doc:${user}`, relation)),
      listed: store.listObjects({ type: 'group', relation: 'member', subject }).items,
      forward: groups.map((object) => store.readTuples({ object, relation: 'member' }).tuples.length),
      reverse: store.readTuples({ subject, relation: 'member' }).tuples.map(({ object }) => object),
      side: store.records.get('sides', String(user))?.document.side,
    };
  });
  revisions.add(seen.revision);
  const isOne = seen.groups[0];
  const expected = {
    revision: seen.revision,
    groups: [isOne, !isOne],
    decisions: [isOne, !isOne, true, false, false],
    listed: [groups[isOne ? 0 : 1]],
    forward: [isOne ? 1 : 0, isOne ? 0 : 1],
    reverse: [groups[isOne ? 0 : 1]],
    side: isOne ? 1 : 2,
  };
  if (JSON.stringify(seen) !== JSON.stringify(expected)) note(`user ${user}: ${JSON.stringify(seen)}`);
}

/** What was acknowledged before is there. */
function visit(user) {
  const joined = Atomics.load(cells, JOINED);
  if (joined > 0) {
    for (const subject of [`user:n${joined}`, `user:n${1 + random(joined)}`]) {
      const { outcome } = store.check({ object: 'group:all', relation: 'member', subject });
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
