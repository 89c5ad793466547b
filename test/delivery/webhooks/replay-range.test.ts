import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { sequenceId } from '../../../engine/index.ts';
import { replayRange } from '../../../src/delivery/webhooks/deliveries/replay-range.ts';
import { defineEvent, eventRecords, recordEvent } from '../../../src/kernel/events/index.ts';
import { type ManualClock, manualClock, uuidGenerator } from '../../../src/platform/index.ts';
import { damageRecord, damages } from '../../engine/plant-record.ts';
import { ScratchEngine } from '../../engine/scratch-engine.ts';

const START = 1_800_000_000_000;
const STEP = 1000;
const COUNT = 20;

const counted = defineEvent({
  type: 'test.replayed',
  data: z.strictObject({ n: z.number() }),
  example: { n: 1 },
  about: () => [],
  becomes: {},
});

let scratch: ScratchEngine;
let clock: ManualClock;

beforeEach(async () => {
  clock = manualClock(START);
  scratch = await ScratchEngine.open({ clock: () => clock.now() });
  await scratch.engine.createStore('org:acme');
});
afterEach(() => scratch.close());

const store = () => scratch.engine.store('org:acme');
const range = (since: number, until?: number) => scratch.engine.read(() => replayRange(store(), since, until));

/** Number n happens at START + n * STEP. */
async function happen(): Promise<void> {
  for (let n = 1; n <= COUNT; n++) {
    clock.advance(STEP);
    const maker = { newId: uuidGenerator(clock), now: () => clock.now() };
    await scratch.engine.submit(scratch.engine.command([recordEvent(maker, store(), counted.of({ n }))]));
  }
}

test('a span of time is a part of the feed, whichever moments it has', async () => {
  expect(range(START)).toEqual({ from: 0, to: 0 });
  await happen();
  for (let since = 0; since <= COUNT + 1; since++) {
    for (const early of [0, 1, STEP - 1]) {
      const at = START + since * STEP - early;
      expect(range(at)).toEqual({ from: Math.min(COUNT, Math.max(0, since - 1)), to: COUNT });
      for (let until = since; until <= COUNT + 1; until += 3) {
        const from = Math.min(COUNT, Math.max(0, since - 1));
        expect(range(at, START + until * STEP)).toEqual({ from, to: Math.max(from, Math.min(COUNT, until)) });
      }
    }
  }
});

test('what is no longer kept is not in it', async () => {
  await happen();
  const gone = [1, 2, 3, 4, 5].map((n) => eventRecords.delete(store(), sequenceId(n)));
  await scratch.engine.submit(scratch.engine.command(gone));
  expect(range(START)).toEqual({ from: 5, to: COUNT });
  expect(range(START, START + 3 * STEP)).toEqual({ from: 5, to: 5 });
});

test.each(damages)('%s does not end the search', async (damage) => {
  await happen();
  for (const n of [COUNT / 2, COUNT]) {
    await damageRecord(scratch.path, { store: 'org:acme', collection: 'events', id: sequenceId(n) }, damage);
  }
  expect(range(START + 3 * STEP, START + 12 * STEP)).toEqual({ from: 2, to: 12 });
  expect(range(START + 10 * STEP)).toEqual({ from: 9, to: COUNT });
});
