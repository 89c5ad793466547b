/**
 * Compares what the transport over sockets takes for requests with what `node:http` does, on requests that were changed
 * by chance, for as long as wanted:
 *
 *     npm run test:long requests [minutes = 10] [seed]
 *
 * It fails with the requests that the two understand differently. The seed repeats a run's choices.
 */
import { compareReaders } from '../http/transport/mutated/compare-readers.ts';

const [minutes = '10', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2);
console.log(`seed ${seed}`);
const end = Date.now() + Number(minutes) * 60_000;
const { connections, taken, refused, differences } = await compareReaders(Number(seed), () => Date.now() >= end);
console.log(`${connections} mutated requests: ${taken} requests taken, ${refused} refused`);
for (const difference of differences) console.log(difference);
process.exitCode = differences.length === 0 ? 0 : 1;
