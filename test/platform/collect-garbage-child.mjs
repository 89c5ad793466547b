// Prints what the old objects of a thread took before and after its garbage was collected, in megabytes.
import { getHeapStatistics } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { collectGarbage } from '../../src/platform/process/heap.ts';

const taken = () => getHeapStatistics().total_physical_size / 2 ** 20;

let kept = Array.from({ length: 400_000 }, (_, number) => ({ number, text: `text ${number}` }));
const before = kept.length > 0 ? taken() : 0;
kept = undefined;
await collectGarbage();
const isExposed = [typeof globalThis.gc, runInNewContext('typeof gc')];
process.stdout.write(JSON.stringify({ before, after: taken(), isExposed }));
