import { afterAll, beforeAll, describe, it } from 'vitest';
import { runsOf } from '../../generated/extent.ts';
import { seed } from '../../generated/seed.ts';
import { ScratchEngine } from '../scratch-engine.ts';
import { type History, histories } from './generate/history.ts';
import { inBatches } from './verify/in-batches.ts';
import { type Ending, replay, verifyEnding } from './verify/replay.ts';

const HISTORIES = runsOf({ quick: 25, whole: 75 });

const caches = [
  { name: 'with room for all of it', options: {} },
  { name: 'too small for what it reads', options: { cacheBytes: 16 * 1024 } },
];

describe.each(caches)('a store that changes while it answers, its cache $name', ({ options }) => {
  let scratch: ScratchEngine;
  beforeAll(async () => {
    scratch = await ScratchEngine.open(options);
  });
  afterAll(() => scratch?.close());

  it(`answers from what is stored, in ${HISTORIES} histories of writes and models`, { timeout: 120_000 }, async () => {
    const endings: Ending[] = [];
    const play = async (history: History) => {
      const ending = await replay(scratch.engine, history);
      if (ending !== undefined) endings.push(ending);
    };
    await inBatches(histories(), play, { runs: HISTORIES, seed });

    await scratch.reopen();
    for (const { store, ...ending } of endings) {
      verifyEnding({ ...ending, store: scratch.engine.store(store.name) });
    }
  });
});
