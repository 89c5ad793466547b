import { describe, expect, it } from 'vitest';
import { runsOf } from '../../generated/extent.ts';
import { randomNumbers } from '../shuffle.ts';
import { killRounds } from './kill-rounds.ts';

/** `npm run test:long crash` has hundreds. */
const ROUNDS = runsOf({ quick: 4, whole: 12 });

describe('a process killed in the middle of concurrent writes', () => {
  it(`leaves every acknowledged commit whole and nothing of the others, ${ROUNDS} times`, {
    timeout: 300_000,
  }, async () => {
    const numbers = randomNumbers(Date.now());
    let acknowledged = 0;
    const random = () => numbers() / 2 ** 32;
    for await (const found of killRounds({ rounds: ROUNDS, killAfterMsMax: 500, commitsMin: 65, random })) {
      expect(found, `round ${found.round}`).toMatchObject({ lost: [], problems: [] });
      acknowledged += found.acknowledged;
    }
    expect(acknowledged).toBeGreaterThan(ROUNDS * 64);
  });
});
