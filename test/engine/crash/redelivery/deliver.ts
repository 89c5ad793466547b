/**
 * The process that is killed. Applies a log from a position on, in batches, until it is, and says on its standard output,
 * a file, up to which position it has: one line for each batch, written in one call after the batch is applied.
 *
 *     deliver.ts FOLDER FIRST
 */
import { writeSync } from 'node:fs';
import { allocateShared, openWriter } from '../../../../engine/store/open-writer.ts';
import { applyAt } from '../../../../engine/store/write/log/apply-at.ts';
import { delivered, RETENTION } from './shared-log.ts';

const STDOUT = 1;
const BATCHES = [1, 7, 30, 2];

const [path = '', start = '1'] = process.argv.slice(2);
const { writer } = openWriter({ path, shared: allocateShared(2 ** 16), retention: RETENTION });
let first = Number(start);
for (let turn = 0; ; turn++) {
  const count = BATCHES[turn % BATCHES.length] as number;
  applyAt(writer, first, delivered(first, count));
  first += count;
  writeSync(STDOUT, `${first - 1}\n`);
}
