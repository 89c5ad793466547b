import { defineProblems, ProblemError, problem } from '../../../http/index.ts';
import type { ElevationDependencies } from '../dependencies.ts';

/** Seconds between two requests for the status of a task that waits. */
export const INTERVAL_S = 5;
/** By so much longer is each interval after a request that came too early (as RFC 8628, 3.5). */
const STEP_S = 5;
const STEPS_MAX = 11;
/** The clocks of an agent and of this service differ, and so do the times that two requests take. */
const TOLERANCE_MS = 2000;

export const pollProblems = defineProblems({ slow_down: [429, 'The status was polled too early'] });

type Pace = Pick<ElevationDependencies, 'spent' | 'clock'>;

/** Seconds to wait before the status is asked for again. */
export function intervalOf({ spent, clock }: Pace, taskId: string): number {
  let steps = 0;
  while (steps < STEPS_MAX && spent.isSpent(stepKey(taskId, steps + 1), clock.now())) steps++;
  return INTERVAL_S + steps * STEP_S;
}

/**
 * Each task has a pace of its own, which no commit counts: in memory that all threads share.
 * @param until when the task stops waiting, in milliseconds since the epoch
 * @throws ProblemError 429 `slow_down` with the longer interval
 */
export function requirePatience(pace: Pace, taskId: string, until: number): number {
  const { spent, clock } = pace;
  const now = clock.now();
  const interval = intervalOf(pace, taskId);
  if (spent.spend(`jit\n${taskId}`, now + interval * 1000 - TOLERANCE_MS, now) === 'first') return interval;
  const steps = (interval - INTERVAL_S) / STEP_S;
  if (steps < STEPS_MAX) spent.spend(stepKey(taskId, steps + 1), until, now);
  const longer = intervalOf(pace, taskId);
  const detail = `Ask every ${longer} seconds.`;
  const headers = { 'retry-after': String(longer) };
  throw new ProblemError(problem(pollProblems.slow_down, detail, { headers, extra: { interval: longer } }));
}

function stepKey(taskId: string, step: number): string {
  return `jit step\n${taskId}\n${step}`;
}
