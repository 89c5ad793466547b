import { describe, expect, test } from 'vitest';
import { type Outcome, tellingOutcome } from '../../../src/http/application/outcomes.ts';
import { json, Problem, ProblemError, problem } from '../../../src/http/index.ts';

const forbidden = problem('forbidden', 'no');

describe('how a request ends is told', () => {
  const cases: { name: string; run: () => unknown; told: number }[] = [
    { name: 'refused at once', run: () => forbidden, told: 403 },
    { name: 'refused later', run: () => Promise.resolve(forbidden), told: 403 },
    {
      name: 'by what is thrown at once',
      run: () => {
        throw new ProblemError(forbidden);
      },
      told: 403,
    },
    { name: 'by what is thrown later', run: () => Promise.reject(new ProblemError(forbidden)), told: 403 },
    { name: 'answered at once', run: () => json(201, {}), told: 201 },
    { name: 'answered later', run: () => Promise.resolve(json(200, {})), told: 200 },
    { name: 'failed', run: () => Promise.reject(new Error('bug')), told: 500 },
  ];

  test.each(cases)('$name', async ({ run, told }) => {
    const heard: Outcome[] = [];
    const outcome = async (task: () => unknown) => {
      try {
        return { value: await task() };
      } catch (error) {
        return { error };
      }
    };
    const tell = (ended: Outcome) => void heard.push(ended);
    // what comes out is what went in
    expect(await outcome(() => tellingOutcome(tell, run as () => Problem))).toEqual(await outcome(run));
    expect(heard.map((each) => (each instanceof Problem ? each.kind.status : each.status))).toEqual([told]);
  });
});
