import { describe, expect, it } from 'vitest';
import { runsOf } from '../../../generated/extent.ts';
import { readCommitId } from '../workload.ts';
import { cutOnce } from './cut-rounds.ts';
import { whyNotHere } from './machine.ts';

const CUTS = runsOf({ quick: 1, whole: 3 });
const TRIES_WITHOUT_SYNC = 3;
const obstacle = whyNotHere();

describe('a power cut in the middle of concurrent writes', () => {
  it(`leaves every acknowledged commit whole and nothing of the others, ${CUTS} times`, { timeout: 300_000 }, async ({
    skip,
  }) => {
    if (obstacle !== undefined) skip(obstacle);
    for (let round = 0; round < CUTS; round++) {
      const found = await cutOnce({ round, cutAfterMs: 200 + Math.random() * 800 });
      expect(found, `cut ${round}`).toMatchObject({ lost: [], problems: [] });
      expect(found.acknowledged).toBeGreaterThan(0);
    }
  });

  it(`takes back the last transaction at most where the log has it, ${CUTS} times`, { timeout: 300_000 }, async ({
    skip,
  }) => {
    if (obstacle !== undefined) skip(obstacle);
    for (let round = 0; round < CUTS; round++) {
      const cutAfterMs = 200 + Math.random() * 800;
      const { lost, problems, acknowledged } = await cutOnce({ round, cutAfterMs, mayLoseLastCommit: true });
      expect(acknowledged, `cut ${round}`).toBeGreaterThan(0);
      expect(problems.filter((problem) => !problem.startsWith('a read saw revision'))).toEqual([]);
      // each writer waits for its answer: it has one commit in a transaction
      const writers = lost.map((id) => readCommitId(id)?.writer);
      expect(new Set(writers).size, lost.join()).toBe(lost.length);
    }
  });

  it('loses acknowledged commits where syncing is turned off', { timeout: 300_000 }, async ({ skip }) => {
    if (obstacle !== undefined) skip(obstacle);
    let lost = 0;
    for (let round = 0; round < TRIES_WITHOUT_SYNC && lost === 0; round++) {
      lost = (await cutOnce({ round, cutAfterMs: 1000, unsafeNoSync: true })).lost.length;
    }
    expect(lost).toBeGreaterThan(0);
  });
});
