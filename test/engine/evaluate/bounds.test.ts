import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Graph } from '../../../engine/evaluate/graph/graph.ts';
import { DEFAULT_LIMITS } from '../../../engine/evaluate/limits.ts';
import type { Plan } from '../../../engine/evaluate/plan/plan.ts';
import { Run } from '../../../engine/evaluate/walk/run.ts';

const NODES_MAX = 5_000;
const TIME_MAX_MS = 2_000;

/** What is counted needs neither tuples nor a model. */
function newRun(): Run {
  const run = new Run({} as Graph, { ...DEFAULT_LIMITS, nodesMax: NODES_MAX, timeMaxMs: TIME_MAX_MS }, {} as Plan);
  run.begin();
  return run;
}

function visit(run: Run, nodes: number): void {
  for (let i = 0; i < nodes; i++) run.visit();
}

afterEach(() => void vi.restoreAllMocks());

describe('an evaluation ends', () => {
  test('when it passes its nodes, counted anew for the next object and after a walk that was left', () => {
    const run = newRun();
    visit(run, NODES_MAX);
    run.again();
    visit(run, NODES_MAX);
    run.abandonWalk();
    visit(run, NODES_MAX);
    expect(() => visit(run, NODES_MAX)).toThrow(expect.objectContaining({ code: 'too_wide' }));
  });

  test('when its time is up', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1);
    const run = newRun();
    run.watch();
    now.mockReturnValue(1 + TIME_MAX_MS);
    expect(() => run.watch()).not.toThrow();
    now.mockReturnValue(2 + TIME_MAX_MS);
    expect(() => run.watch()).toThrow(expect.objectContaining({ code: 'timeout' }));
  });
});
