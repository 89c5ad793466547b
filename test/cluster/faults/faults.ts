import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { COUNT, type Scene } from './scene.ts';

export interface Draw {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** Some of them, in any order. */
  some<T>(items: readonly T[], count: number): T[];
}

/** Something that breaks. */
export interface Fault {
  readonly name: string;
  /** What the machine must allow. */
  readonly needs?: 'network' | 'disks' | 'serverClocks';
  /** Those of one kind are not drawn together. */
  readonly of: 'servers' | 'nodes' | 'network';
  /** Is healed when all servers are up to date: with another one behind, healing would lose what was acknowledged. */
  readonly healsLast?: true;
  /** Answers how it is healed: that may leave processes that are still starting. */
  begin(scene: Scene, draw: Draw): Promise<() => Promise<void>>;
}

const HOUR_MS = 3_600_000;
const BACK_MS = 10_000;
const members = [...Array(2 * COUNT).keys()];
const serverNumbers = members.slice(0, COUNT);

async function killServers(scene: Scene, killed: readonly number[]): Promise<() => Promise<void>> {
  for (const i of killed) await scene.servers.kill(i);
  return async () => {
    for (const i of killed) scene.servers.run(i);
  };
}

async function killNodes(scene: Scene, killed: readonly number[]): Promise<() => Promise<void>> {
  await Promise.all(killed.map((i) => scene.nodes.get(i).process.stop('SIGKILL')));
  return async () => {
    await Promise.all(killed.map((i) => scene.nodes.restart(i)));
  };
}

async function cut(scene: Scene, gone: readonly number[]): Promise<() => Promise<void>> {
  scene.network?.cut(gone);
  return async () => scene.network?.heal();
}

async function fillDisk(scene: Scene, member: number): Promise<() => Promise<void>> {
  const disk = scene.disks?.[member];
  disk?.fill();
  return async () => {
    disk?.free();
    if (member >= COUNT) return;
    // a NATS server that has found no space does without JetStream until it is started again
    await scene.servers.kill(member);
    scene.servers.run(member);
  };
}

/**
 * The storage of a server as it was some time ago, under the server that has written on since. What it had acknowledged
 * is then kept by the two others alone, so both must have it.
 */
async function setBack(scene: Scene, i: number): Promise<() => Promise<void>> {
  const folder = scene.servers.folderOf(i);
  // not beside it, where the disk may be full
  const old = mkdtempSync(join(tmpdir(), 'relata-set-back-'));
  await scene.servers.kill(i);
  cpSync(folder, old, { recursive: true });
  scene.servers.run(i);
  // another one that is cut off, or has no space, is not ready before it is healed
  await scene.servers.ready(BACK_MS).catch(() => undefined);
  return async () => {
    await scene.servers.kill(i);
    rmSync(folder, { recursive: true });
    cpSync(old, folder, { recursive: true });
    rmSync(old, { recursive: true });
    scene.setBack.add(i);
    scene.servers.run(i);
  };
}

async function moveClock(scene: Scene, draw: Draw, member: number): Promise<() => Promise<void>> {
  const hours = 1 + draw.below(72);
  scene.setClock(member, (draw.below(2) === 0 ? -hours : hours) * HOUR_MS);
  return async () => scene.setClock(member, 0);
}

/** The leader of the log, or any server while there is none. */
async function leaderOf(scene: Scene, draw: Draw): Promise<number> {
  return scene.servers.leaderOf('relata').catch(() => draw.below(COUNT));
}

export const faults: readonly Fault[] = [
  { name: 'a node is killed', of: 'nodes', begin: (scene, draw) => killNodes(scene, [draw.below(COUNT)]) },
  { name: 'all nodes are killed', of: 'nodes', begin: (scene) => killNodes(scene, serverNumbers) },
  {
    name: 'the leader of the log is killed',
    of: 'servers',
    begin: async (scene, draw) => killServers(scene, [await leaderOf(scene, draw)]),
  },
  {
    name: 'two of three servers are killed',
    of: 'servers',
    begin: (scene, draw) => killServers(scene, draw.some(serverNumbers, 2)),
  },
  { name: 'all servers are killed', of: 'servers', begin: (scene) => killServers(scene, serverNumbers) },
  {
    name: 'the leader of the log is paused',
    of: 'servers',
    async begin(scene, draw) {
      const leader = await leaderOf(scene, draw);
      scene.servers.signal(leader, 'SIGSTOP');
      return async () => scene.servers.signal(leader, 'SIGCONT');
    },
  },
  {
    name: 'a server and a node are cut off together',
    needs: 'network',
    of: 'network',
    begin: (scene, draw) => cut(scene, [draw.below(COUNT), COUNT + draw.below(COUNT)]),
  },
  {
    name: 'the leader of the log is cut off, with a node',
    needs: 'network',
    of: 'network',
    begin: async (scene, draw) => cut(scene, [await leaderOf(scene, draw), COUNT + draw.below(COUNT)]),
  },
  {
    name: 'a node is cut off from everything',
    needs: 'network',
    of: 'network',
    begin: (scene, draw) => cut(scene, [COUNT + draw.below(COUNT)]),
  },
  {
    name: 'any members are cut off from the others',
    needs: 'network',
    of: 'network',
    begin: (scene, draw) => cut(scene, draw.some(members, 1 + draw.below(2 * COUNT - 1))),
  },
  {
    name: 'the network flaps',
    needs: 'network',
    of: 'network',
    async begin(scene, draw) {
      for (let n = 0; n < 4; n++) {
        scene.network?.cut(draw.some(members, 1 + draw.below(COUNT)));
        await sleep(200 + draw.below(600));
        scene.network?.heal();
        await sleep(draw.below(400));
      }
      return async () => {};
    },
  },
  {
    name: 'a node is paused, and wakes later',
    of: 'nodes',
    async begin(scene, draw) {
      const { pid } = scene.nodes.get(draw.below(COUNT)).process;
      process.kill(pid, 'SIGSTOP');
      return async () => void process.kill(pid, 'SIGCONT');
    },
  },
  {
    name: 'the disk of a node is full',
    needs: 'disks',
    of: 'nodes',
    begin: (scene, draw) => fillDisk(scene, COUNT + draw.below(COUNT)),
  },
  {
    name: 'the disk of a server is full',
    needs: 'disks',
    of: 'servers',
    begin: (scene, draw) => fillDisk(scene, draw.below(COUNT)),
  },
  {
    name: 'the clock of a node jumps',
    of: 'nodes',
    begin: (scene, draw) => moveClock(scene, draw, COUNT + draw.below(COUNT)),
  },
  {
    name: 'the clock of a server jumps',
    needs: 'serverClocks',
    of: 'servers',
    begin: (scene, draw) => moveClock(scene, draw, draw.below(COUNT)),
  },
  {
    name: 'the clock of the leader of the log jumps',
    needs: 'serverClocks',
    of: 'servers',
    begin: async (scene, draw) => moveClock(scene, draw, await leaderOf(scene, draw)),
  },
  {
    name: 'the storage of a server is set back',
    of: 'servers',
    healsLast: true,
    begin: (scene, draw) => setBack(scene, draw.below(COUNT)),
  },
];
