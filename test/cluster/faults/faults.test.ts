import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findNats } from '../find-nats.ts';
import { faults } from './faults.ts';
import { whyNoDisks, whyNoNetworks } from './machine.ts';
import { runRound } from './round.ts';
import { Scene } from './scene.ts';
import { drawOf } from './shares.ts';

const nats = findNats();
const missing = {
  network: whyNoNetworks(),
  disks: whyNoDisks(),
  serverClocks: 'a server whose clock can be moved is built for the long script alone',
};
const seed = Number(process.env.RELATA_SEED);

/**
 * What breaks together. The long script draws from all faults, also from storage of a server that is set back. What the
 * servers do after that is not promised by them: it breaks what their majority rests on. `set-back.long.test.ts` shows that the
 * nodes stop, where the log is shorter by it.
 */
const rounds = [
  ['a node is killed', 'the leader of the log is cut off, with a node'],
  ['the clock of a node jumps', 'two of three servers are killed'],
  ['the disk of a node is full', 'the leader of the log is paused'],
].map((names) => names.map((name) => faults.find((fault) => fault.name === name) as (typeof faults)[number]));

/** What the machine does not allow, of all that a test needs. */
function obstaclesOf(drawn: (typeof rounds)[number]): string[] {
  return [
    ...('missing' in nats ? [nats.missing] : []),
    ...drawn.flatMap(({ needs }) => (needs === undefined ? [] : (missing[needs] ?? []))),
  ];
}

describe('a cluster that breaks under clients at work keeps what it promises', () => {
  let scene: Scene | undefined;

  beforeAll(async () => {
    if ('path' in nats) scene = await Scene.start(nats.path);
  });
  afterAll(() => scene?.remove());

  it.for(rounds.map((drawn, n) => ({ drawn, n, name: drawn.map((fault) => fault.name).join(', and ') })))(
    'where $name',
    async ({ drawn, n, name }, { skip }) => {
      const obstacles = obstaclesOf(drawn);
      if (obstacles.length > 0) skip(obstacles.join('; '));
      const round = await runRound({
        scene: scene as Scene,
        name: `round-${n}-${Date.now()}`,
        draw: drawOf(seed + n),
        faults: drawn,
      });
      expect(round.problems, `${name}, seed ${seed}`).toEqual([]);
      expect(round.acknowledged).toBeGreaterThan(0);
      expect(round.checks).toBeGreaterThan(0);
    },
  );
});
