// Prints the most that the old objects of a thread took, with heaps that grow as V8 lets them, or `bounded`.
import { Worker } from 'node:worker_threads';
import { boundHeapGrowth } from '../../src/platform/process/heap.ts';

if (process.argv[2] === 'bounded') boundHeapGrowth();

const worker = new Worker(
  `
  const { parentPort } = require('node:worker_threads');
  const { getHeapSpaceStatistics } = require('node:v8');
  const old = () => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space').space_used_size;
  const kept = Array.from({ length: 100_000 }, (_, number) => ({ number, text: 'x' + number }));
  const recent = [];
  let most = 0;
  for (let turn = 0; turn < 600_000; turn++) {
    const made = new Array(250).fill(turn);
    // old when others take their places
    if (turn % 12 === 0) recent[(turn / 12) % 4_000] = made;
    if (turn % 1_000 === 0) most = Math.max(most, old());
  }
  parentPort.postMessage(most + kept.length * 0);
`,
  // as threads of the service
  { eval: true, resourceLimits: { maxYoungGenerationSizeMb: 24 } },
);
worker.on('message', (most) => process.stdout.write(String(most)));
