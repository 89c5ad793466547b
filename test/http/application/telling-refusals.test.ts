import { describe, expect, test } from 'vitest';
import { tellingRefusals } from '../../../src/http/application/refusals.ts';
import { json, type Problem, ProblemError, problem } from '../../../src/http/index.ts';

const forbidden = problem('forbidden', 'no');

describe('a refusal is told of', () => {
  const cases: { name: string; run: () => unknown; told: number }[] = [
    { name: 'answered at once', run: () => forbidden, told: 1 },
    { name: 'answered later', run: () => Promise.resolve(forbidden), told: 1 },
    {
      name: 'thrown at once',
      run: () => {
        throw new ProblemError(forbidden);
      },
      told: 1,
    },
    { name: 'thrown later', run: () => Promise.reject(new ProblemError(forbidden)), told: 1 },
    { name: 'not where it is none', run: () => problem('not_found'), told: 0 },
    { name: 'not where all went well', run: () => Promise.resolve(json(200, {})), told: 0 },
    { name: 'not where something failed', run: () => Promise.reject(new Error('bug')), told: 0 },
    {
      name: 'not where another problem is thrown',
      run: () => Promise.reject(new ProblemError(problem('refused'))),
      told: 0,
    },
  ];

  test.each(cases)('$name', async ({ run, told }) => {
    const heard: Problem[] = [];
    const outcome = async (task: () => unknown) => {
      try {
        return { value: await task() };
      } catch (error) {
        return { error };
      }
    };
    const tell = (refusal: Problem) => void heard.push(refusal);
    // what comes out is what went in
    expect(await outcome(() => tellingRefusals(tell, run as () => Problem))).toEqual(await outcome(run));
    expect(heard).toEqual(told === 0 ? [] : [forbidden]);
  });
});
