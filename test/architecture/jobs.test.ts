import { describe, expect, it } from 'vitest';
import { modules } from '../../src/server/modules.ts';
import { metricsOf } from '../../src/server/service/server-metrics.ts';
import { unknownJobs } from './job-rules.ts';
import { readTree, repositoryRoot } from './source-tree.ts';

const failures = metricsOf(modules).find(({ name }) => name === 'relata_background_failures_total');
const known = new Set(failures?.series?.flat());

describe('background jobs', () => {
  it('each have a series of the failures of background jobs', () => {
    expect(known).toContain('store_watch');
    expect(unknownJobs(readTree(repositoryRoot, ['src'], /\.ts$/), known)).toEqual([]);
  });

  it('would be found without one', () => {
    const text = "background.every('a job', 1000, task); this.#background.failed('tasks', error);";
    expect(unknownJobs([{ path: 'a.ts', text }], known)).toEqual(['a.ts: a job']);
  });
});
