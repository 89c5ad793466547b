import { rmSync } from 'node:fs';
import { trailLine } from '../http/lines/trail-line.ts';
import { hasWrk } from '../http/load/wrk.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { withSite } from './http-suite.ts';
import type { Suite } from './suite.ts';

/** What it costs that the audit log says who wrote a tuple. */
export const trailSuite: Suite = {
  name: 'trail',
  about: 'tuples written over HTTP, with an entry in the audit log for each request and without',
  size: '1m',
  async run(bench) {
    if (!hasWrk()) return bench.note('wrk is not installed: nothing is measured over HTTP');
    const scratch = scratchFolder('trail');
    try {
      await withSite(bench, scratch, trailLine);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};
