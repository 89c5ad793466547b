import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { relata } from '../http/server/running-service.ts';
import { writeSources } from '../http/server/service-data.ts';
import { secondsSince } from '../measure/clock.ts';
import { atLeast } from '../report/line.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { driveOf } from './drive-suite.ts';
import { type Suite, unlessSmoke } from './suite.ts';

/** The command line's import of NDJSON into an empty folder, from the start of the process to its end. */
export function commandSuite(size: '1m' | '10m', tuples: number, perSecondMin: number): Suite {
  return {
    name: `command-${size}`,
    about: `relata import of ${tuples.toLocaleString('en-US')} tuples from NDJSON`,
    size,
    async run(bench) {
      const data = driveOf(bench, tuples);
      const scratch = scratchFolder(`command-${size}`);
      const folder = join(scratch, 'data');
      mkdirSync(folder);
      try {
        const sources = writeSources(scratch, data);
        bench.note(`relata import ${data.name}`);
        const empty = process.hrtime.bigint();
        await relata('--help');
        const startSeconds = secondsSince(empty);
        const startedAt = process.hrtime.bigint();
        const output = await relata(
          ...['import', sources.tuples, '--store', 'bench', '--model', sources.model, '--data', folder],
        );
        const seconds = secondsSince(startedAt);
        const target = unlessSmoke(bench, atLeast(perSecondMin));
        bench.line({
          name: `relata import ${size.toUpperCase()} from NDJSON`,
          value: sources.count / seconds,
          unit: 'tuples/s',
          baseline: { name: 'start and end', value: sources.count / startSeconds },
          ...(target === undefined ? {} : { target }),
          detail: { seconds, startSeconds, printed: output.trim().split('\n').at(-1) ?? '' },
        });
      } finally {
        rmSync(scratch, { recursive: true, force: true });
      }
    },
  };
}
