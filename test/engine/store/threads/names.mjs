/** A thread that adds names to a table that others add the same names to, and notes each id that is not theirs. */
import { parentPort, workerData } from 'node:worker_threads';
import { NameTable } from '../../../../dist/engine/store/name-table.js';

const { shared, names, rounds, seed } = workerData;
const table = new NameTable(shared);
const wrong = [];
let state = seed;
let found = 0;

for (let round = 0; round < rounds; round++) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  const number = (state >>> 8) % names;
  // Of every length up to and over what fits a slot, many with the same beginning.
  const name = `doc:${'x'.repeat(number % 45)}${number}`;
  const node = table.get(1, name);
  if (node === 0) table.add(1, name, number + 1);
  else if (node === number + 1) found++;
  else wrong.push(`${name} is ${node} instead of ${number + 1}`);
  if (table.get(2, name) !== 0) wrong.push(`${name} is in another store`);
}
parentPort.postMessage({ found, wrong: wrong.slice(0, 10) });
