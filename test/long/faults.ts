/**
 * Breaks parts of a cluster again and again under clients at work, and judges after each round whether what they were
 * answered is what the service promises:
 *
 *     npm run test:long faults [rounds = 50] [seed] [parts of names of faults, with +]
 *
 * Needs `nats-server` (RELATA_TEST_NATS, the PATH, or Go to build it). Faults of networks and disks need root on Linux, those
 * of the servers' clocks need Go, which builds another `nats-server` for them at the first run. The last line is the sum;
 * the exit code is 1 where a round found anything wrong.
 */
import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsOf, type Round, runRound } from '../cluster/faults/round.ts';
import { Scene } from '../cluster/faults/scene.ts';
import { drawOf } from '../cluster/faults/shares.ts';
import { shiftedNats } from '../cluster/faults/shifted-nats.ts';
import { findNats } from '../cluster/find-nats.ts';

const [rounds = '50', seed = String(Date.now() % 2 ** 31), only] = process.argv.slice(2);
const began = performance.now();
const seconds = (): number => Math.round((performance.now() - began) / 1000);
const nats = findNats();
if ('missing' in nats) {
  console.error(`cannot run: ${nats.missing}`);
  process.exitCode = 1;
} else await run(nats.path);

async function run(path: string): Promise<void> {
  const shifted = shiftedNats();
  console.log(`seed ${seed}`);
  const scene = await ('path' in shifted ? Scene.start(shifted.path, true) : Scene.start(path));
  const total = { rounds: 0, acknowledged: 0, unknown: 0, checks: 0, problems: 0 };
  try {
    if (scene.network === undefined) console.log('without faults of the network: it cannot be made here');
    if (scene.disks === undefined) console.log('without full disks: they cannot be made here');
    if ('missing' in shifted) console.log(`without clocks of servers: ${shifted.missing}`);
    const possible = faultsOf(scene);
    const named = only?.split('+').map((part) => possible.filter(({ name }) => name.includes(part)));
    for (let n = 0; n < Number(rounds); n++) {
      const draw = drawOf(Number(seed) + n);
      const faults = named === undefined ? {} : { faults: named.flatMap((each) => draw.some(each, 1)) };
      const round = await runRound({ scene, name: `round-${n}`, draw, ...faults }).catch(async (error: unknown) => {
        console.error(`${n}: ended by an error; what the nodes have: ${await keepNodes(scene)}`);
        throw error;
      });
      tell(n, round);
      total.rounds++;
      total.acknowledged += round.acknowledged;
      total.unknown += round.unknown;
      total.checks += round.checks;
      total.problems += round.problems.length;
      if (round.problems.length === 0) continue;
      console.error(`  what the nodes have: ${await keepNodes(scene)}`);
      break; // what is broken now would be found in every later round
    }
  } finally {
    await scene.remove();
  }
  const { acknowledged, unknown, checks, problems } = total;
  const sum = `${acknowledged} writes acknowledged, ${unknown} unknown, ${checks} checks, ${problems} problems`;
  console.log(`${total.rounds} of ${rounds} rounds, ${sum}, seed ${seed}, ${seconds()} s`);
  process.exitCode = problems > 0 ? 1 : 0;
}

/** The nodes are ended for it. */
async function keepNodes({ nodes, servers }: Scene): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'relata-faults-'));
  for (let i = 0; i < servers.count; i++) {
    writeFileSync(join(folder, `server-${i}`), servers.outputOf(i));
    writeFileSync(join(folder, `server-${i}-state.json`), await servers.stateOf(i));
  }
  for (const [i, node] of nodes.nodes.entries()) {
    await node.process.stop('SIGKILL');
    cpSync(node.folder, join(folder, `node-${i}`), { recursive: true });
    writeFileSync(join(folder, `node-${i}`, 'output'), node.process.output());
  }
  return folder;
}

function tell(n: number, { faults, problems, acknowledged, unknown, checks, statuses, healedMs }: Round): void {
  const counts = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
  const did = `${acknowledged} acknowledged, ${unknown} unknown, ${checks} checks (${counts})`;
  console.log(`${n}: ${faults.join('; ')}: ${did}, healed in ${healedMs} ms, ${seconds()} s`);
  for (const problem of problems.slice(0, 30)) console.error(`  ${problem}`);
}
