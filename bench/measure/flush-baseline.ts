import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Random, SEED } from '../data/random.ts';
import { secondsSince } from './clock.ts';
import { percentile } from './percentile.ts';

const PAGE = 4096;
const PAGES = 4096;

/** Flushes a second, and the milliseconds of one, of a disk that is asked to keep one page at a time. */
export interface FlushBaseline {
  readonly perSecond: number;
  readonly p99Millis: number;
}

/** Writes a page at a random place of a file that is already as long, and waits until it is on the disk. */
export function flushBaseline(folder: string, flushes: number): FlushBaseline {
  const path = join(folder, 'flush.bin');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(PAGE, 0x5a);
  for (let place = 0; place < PAGES; place++) writeSync(file, page, 0, PAGE, place * PAGE);
  fdatasyncSync(file);
  const random = new Random(SEED + 101);
  const millis = new Float64Array(flushes);
  const startedAt = process.hrtime.bigint();
  for (let flush = 0; flush < flushes; flush++) {
    const before = process.hrtime.bigint();
    writeSync(file, page, 0, PAGE, random.below(PAGES) * PAGE);
    fdatasyncSync(file);
    millis[flush] = Number(process.hrtime.bigint() - before) / 1e6;
  }
  const perSecond = flushes / secondsSince(startedAt);
  closeSync(file);
  rmSync(path);
  return { perSecond, p99Millis: percentile(millis.sort(), 0.99) };
}
