/**
 * Cuts the power of a writing process's disk again and again and looks at what each cut left. Needs root on Linux:
 *
 *     npm run test:long power-cut [cuts = 50]
 *
 * Ends with one cut without syncing, which must lose something. The last line is the sum; the exit code is 1 where
 * a cut left anything wrong.
 */
import { cutOnce } from '../engine/crash/power/cut-rounds.ts';
import { whyNotHere } from '../engine/crash/power/machine.ts';

const CUT_AFTER_MS_MAX = 1500;

const [cuts = '50'] = process.argv.slice(2);
const obstacle = whyNotHere();
if (obstacle === undefined) await run(Number(cuts));
else {
  console.error(`cannot run: ${obstacle}`);
  process.exitCode = 1;
}

async function run(count: number): Promise<void> {
  const began = performance.now();
  const total = { cuts: 0, acknowledged: 0, found: 0, lost: 0, problems: 0 };
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const sum = () =>
    `${total.acknowledged} commits acknowledged before, ${total.found} more found whole, ${total.lost} lost, ` +
    `${total.problems} problems`;
  for (let round = 0; round < count; round++) {
    const cut = await cutOnce({ round, cutAfterMs: Math.random() * CUT_AFTER_MS_MAX });
    total.cuts++;
    total.acknowledged += cut.acknowledged;
    total.found += cut.unanswered;
    total.lost += cut.lost.length;
    total.problems += cut.problems.length;
    for (const problem of [...cut.lost.map((id) => `lost ${id}`), ...cut.problems]) console.error(problem);
    if (total.cuts % 5 === 0) console.log(`${total.cuts} of ${count} cuts, ${sum()}, ${seconds()} s`);
  }
  const unsynced = await cutOnce({ round: count, cutAfterMs: CUT_AFTER_MS_MAX, unsafeNoSync: true });
  console.log(`without syncing, one cut lost ${unsynced.lost.length} of ${unsynced.acknowledged} commits`);
  console.log(`${total.cuts} cuts, ${sum()}, ${seconds()} s`);
  process.exitCode = total.lost + total.problems > 0 || unsynced.lost.length === 0 ? 1 : 0;
}
