/**
 * Kills a writing process again and again and looks at what each crash left:
 *
 *     npm run test:long crash [rounds = 500] [seed]
 *
 * The last line is the sum; the exit code is 1 where a crash left anything wrong.
 */
import { killRounds } from '../engine/crash/kill-rounds.ts';
import { randomNumbers } from '../engine/shuffle.ts';

const [rounds = '500', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);
const numbers = randomNumbers(Number(seed));
const began = performance.now();
const total = { rounds: 0, acknowledged: 0, found: 0, lost: 0, problems: 0 };
const seconds = () => Math.round((performance.now() - began) / 1000);

const options = { rounds: Number(rounds), killAfterMsMax: 800, random: () => numbers() / 2 ** 32 };
for await (const { acknowledged, unanswered, lost, problems } of killRounds(options)) {
  total.rounds++;
  total.acknowledged += acknowledged;
  total.found += unanswered;
  total.lost += lost.length;
  total.problems += problems.length;
  for (const problem of [...lost.map((id) => `lost ${id}`), ...problems]) console.error(problem);
  if (total.rounds % 10 === 0) console.log(`${total.rounds} of ${rounds} kills, ${sum()}, ${seconds()} s`);
}
console.log(`${total.rounds} kills, ${sum()}, seed ${seed}, ${seconds()} s`);
process.exitCode = total.lost + total.problems > 0 ? 1 : 0;

function sum(): string {
  const { acknowledged, found, lost, problems } = total;
  return `${acknowledged} commits acknowledged, ${found} more found whole, ${lost} lost, ${problems} problems`;
}
