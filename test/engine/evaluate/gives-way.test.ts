import { afterEach, describe, expect, test, vi } from 'vitest';
import { Run, TANGLED } from '../../../engine/evaluate/check/run.ts';
import type { Graph } from '../../../engine/evaluate/graph/graph.ts';
import { DEFAULT_LIMITS } from '../../../engine/evaluate/limits.ts';
import type { Plan } from '../../../engine/evaluate/plan/plan.ts';

const NODES_MAX = 1_000;
const TIME_MAX_MS = 2_000;

/** What is counted needs neither tuples nor a model. */
function newRun(): Run {
  const run = new Run({} as Graph, { ...DEFAULT_LIMITS, nodesMax: NODES_MAX, timeMaxMs: TIME_MAX_MS }, {} as Plan);
  run.begin();
  return run;
}

function thrownBy(task: () => void): unknown {
  try {
    task();
    return undefined;
  } catch (error) {
    return error;
  }
}

afterEach(() => void vi.restoreAllMocks());

describe('a walk gives way to equations only if it goes over a node again, be it one', () => {
  test('when it passes its nodes', () => {
    const walk = (run: Run) => thrownBy(() => Array.from({ length: NODES_MAX + 100 }, () => run.visit()));
    const [straight, tangled] = [newRun(), newRun()];
    tangled.rewalk();
    expect(walk(straight)).toMatchObject({ code: 'too_wide' });
    expect(walk(tangled)).toBe(TANGLED);
  });

  test('when half of its time is up', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1);
    const [straight, tangled] = [newRun(), newRun()];
    tangled.rewalk();
    for (const run of [straight, tangled]) run.watch();
    now.mockReturnValue(1 + TIME_MAX_MS / 2);
    for (const run of [straight, tangled]) expect(thrownBy(() => run.watch())).toBeUndefined();
    now.mockReturnValue(2 + TIME_MAX_MS / 2);
    expect(thrownBy(() => straight.watch())).toBeUndefined();
    expect(thrownBy(() => tangled.watch())).toBe(TANGLED);
    now.mockReturnValue(2 + TIME_MAX_MS);
    expect(thrownBy(() => straight.watch())).toMatchObject({ code: 'timeout' });
  });
});
