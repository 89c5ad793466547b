import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { secondsSince } from '../measure/clock.ts';
import { atLeast, atMost } from '../report/line.ts';
import { loadAnew } from '../store/data-folder.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { driveOf } from './drive-suite.ts';
import { type Suite, unlessSmoke } from './suite.ts';

/** Bytes that a tuple has at the least: a key of 16 bytes in each of two indexes. */
const BYTES_LEAST = 32;

/** Loads a drive anew, whether or not it is there, and leaves it for the suites that read it. */
export function importSuite(size: '1m' | '10m', tuples: number, perSecondMin: number): Suite {
  return {
    name: `import-${size}`,
    about: `${tuples.toLocaleString('en-US')} tuples into an empty store, and what they take on disk`,
    size,
    async run(bench) {
      const data = driveOf(bench, tuples);
      bench.note(`importing ${data.name}`);
      const figures = await loadAnew(data);
      const folder = scratchFolder('import');
      const baseline = keysPerSecond(folder, figures.tuples);
      rmSync(folder, { recursive: true });
      const target = unlessSmoke(bench, atLeast(perSecondMin));
      bench.line({
        name: `import ${size.toUpperCase()}, durable at the end`,
        value: figures.tuples / figures.seconds,
        unit: 'tuples/s',
        baseline: { name: 'write two keys', value: baseline },
        ...(target === undefined ? {} : { target }),
        detail: { tuples: figures.tuples, seconds: figures.seconds },
      });
      const bytesTarget = unlessSmoke(bench, atMost(110));
      bench.line({
        name: `on disk after the import of ${size.toUpperCase()}`,
        value: figures.bytesOnDisk / figures.tuples,
        unit: 'bytes/tuple',
        baseline: { name: 'two keys', value: BYTES_LEAST },
        ...(bytesTarget === undefined ? {} : { target: bytesTarget }),
      });
    },
  };
}

/** Tuples a second of a disk that takes two keys for each, one after the other, and is asked to keep them at the end. */
function keysPerSecond(folder: string, tuples: number): number {
  const file = openSync(join(folder, 'keys.bin'), 'w');
  const block = Buffer.alloc(BYTES_LEAST * 32_768, 0x5a);
  const bytes = tuples * BYTES_LEAST;
  const startedAt = process.hrtime.bigint();
  for (let written = 0; written < bytes; )
    written += writeSync(file, block, 0, Math.min(block.length, bytes - written));
  fdatasyncSync(file);
  const seconds = secondsSince(startedAt);
  closeSync(file);
  return tuples / seconds;
}
