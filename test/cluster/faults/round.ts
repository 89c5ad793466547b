import { setTimeout as sleep } from 'node:timers/promises';
import { Organization } from '../../server/running-service.ts';
import { problemsOf } from '../history/check-history.ts';
import type { History, NodeContent } from '../history/history.ts';
import type { RelataNode } from '../relata-nodes.ts';
import { type Draw, type Fault, faults } from './faults.ts';
import { type Content, contentsOf } from './node-content.ts';
import { readNode } from './read-node.ts';
import type { Scene } from './scene.ts';
import { holds, shareModel } from './shares.ts';
import { Workload } from './workload.ts';

const CLIENTS = 8;
const HEALED_MS = 120_000;
const LOOK_MS = 250;

/** What a round did, and what was wrong. */
export interface Round {
  readonly faults: readonly string[];
  readonly problems: readonly string[];
  readonly acknowledged: number;
  readonly unknown: number;
  readonly checks: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Until all nodes answered and took writes again. */
  readonly healedMs: number;
}

export interface RoundOptions {
  readonly scene: Scene;
  readonly name: string;
  readonly draw: Draw;
  /** Drawn where absent. */
  readonly faults?: readonly Fault[];
}

/** Faults that this machine allows. */
export function faultsOf(scene: Pick<Scene, 'network' | 'disks' | 'serverClocks'>): Fault[] {
  return faults.filter(({ needs }) => needs === undefined || scene[needs] !== undefined);
}

/** One round: clients at work in an organization of their own, something breaks, it heals, and the history is judged. */
export async function runRound({ scene, name, draw, faults: given }: RoundOptions): Promise<Round> {
  const drawn = given ?? drawFaults(scene, draw);
  try {
    return await runDrawn({ scene, name, draw, faults: drawn });
  } catch (error) {
    throw new Error(`in a round of: ${drawn.map((fault) => fault.name).join('; ')}`, { cause: error });
  }
}

async function runDrawn({ scene, name, draw, faults: drawn }: Required<RoundOptions>): Promise<Round> {
  const { organization, after } = await organizationWithModel(scene, name);
  // every node knows the model then
  const unready = await waitHealed(scene, organization);
  if (unready.length > 0) throw new Error(unready.join('\n'));
  const workload = new Workload(scene.nodes, organization, draw);
  const pids = new Map(scene.nodes.nodes.map((node) => [node.process.pid, node]));
  workload.start(CLIENTS);
  await sleep(300 + draw.below(1200));
  const heals: { readonly fault: Fault; readonly heal: () => Promise<void> }[] = [];
  for (const fault of drawn) {
    heals.push({ fault, heal: await fault.begin(scene, draw) });
    await sleep(draw.below(500));
  }
  await sleep(holdMs(draw));
  const began = performance.now();
  // a node that starts wants the servers, and ends where it finds none
  const ofServers = heals.filter(({ fault }) => fault.of !== 'nodes');
  for (const { fault, heal } of ofServers) if (fault.healsLast === undefined) await heal();
  const { emptied, restarted } = scene;
  await scene.serversReady();
  for (const { fault, heal } of ofServers) if (fault.healsLast) await heal();
  await scene.serversReady();
  for (const { fault, heal } of heals) if (fault.of === 'nodes') await heal();
  await sleep(500 + draw.below(1000));
  const ended = endedNodes(scene, pids);
  await restartEnded(scene);
  const unhealed = await waitHealed(scene, organization);
  scene.setBack.clear();
  const healedMs = Math.round(performance.now() - began);
  await sleep(500);
  await workload.stop();
  const problems = [...ended, ...workload.unexpected, ...unhealed];
  if (unhealed.length === 0) problems.push(...problemsOf(await historyOf(scene, organization, after, workload)));
  const { writes, checks, statuses } = workload;
  const count = (outcome: string): number => writes.filter((each) => each.outcome === outcome).length;
  return {
    faults: [
      ...drawn.map((fault) => fault.name),
      ...(scene.emptied > emptied ? ['the server that was set back had to be emptied'] : []),
      ...(scene.restarted > restarted ? ['a server that stayed unhealthy had to be started again'] : []),
    ],
    problems,
    acknowledged: count('acknowledged'),
    unknown: count('unknown'),
    checks: checks.length,
    statuses,
    healedMs,
  };
}

/** Mostly shorter than a write waits for its answer, and at times longer than all of them. */
function holdMs(draw: Draw): number {
  return draw.below(4) === 0 ? 12_000 + draw.below(8000) : 1000 + draw.below(5000);
}

/** One or two, of different kinds. */
function drawFaults(scene: Scene, draw: Draw): Fault[] {
  const possible = faultsOf(scene);
  const [first] = draw.some(possible, 1) as [Fault]; // there are some without needs
  if (draw.below(2) === 0) return [first];
  return [
    first,
    ...draw.some(
      possible.filter(({ of }) => of !== first.of),
      1,
    ),
  ];
}

/**
 * Nodes may look for the log's leader for some moments after the round before: what is answered 503 is asked again. So is
 * what went over a connection from the round before, which a node that was cut off may have closed.
 */
async function organizationWithModel(
  scene: Scene,
  name: string,
): Promise<{ organization: Organization; after: string }> {
  const until = performance.now() + HEALED_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      // one without an answer, or with a 503, may exist: the next has another name
      const organization = await scene.nodes.get(0).organization(attempt === 0 ? name : `${name}-${attempt}`);
      return { organization, after: await modelToken(organization) };
    } catch (error) {
      const isPassing = /"status":503|fetch failed/.test(String(error));
      if (!isPassing || performance.now() > until) throw error;
      await sleep(500);
    }
  }
}

async function modelToken(organization: Organization): Promise<string> {
  await organization.model(...shareModel);
  const answer = await organization.call('GET', '/zanzibar/tuples?object=mark:');
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.text('revision');
}

/** No fault ends a node for good: one that ended by itself says that it found something wrong. */
function endedNodes(scene: Scene, pids: ReadonlyMap<number, RelataNode>): string[] {
  return scene.nodes.nodes.flatMap((node, i) => {
    if (!pids.has(node.process.pid) || node.process.isRunning) return [];
    return [`ended: node ${i} ended by itself: ${lastLines(node)}`];
  });
}

function lastLines(node: RelataNode): string {
  return node.process.output().trim().split('\n').slice(-3).join(' ').slice(-1500);
}

async function restartEnded(scene: Scene): Promise<void> {
  for (const [i, node] of scene.nodes.nodes.entries()) {
    if (!node.process.isRunning) await scene.nodes.restart(i);
  }
}

/** Resolves when the servers are up to date and every node takes writes, and sees those of the others. */
async function waitHealed(scene: Scene, organization: Organization): Promise<string[]> {
  await scene.serversReady();
  for (const until = performance.now() + HEALED_MS; ; ) {
    const areWell = await Promise.all(scene.nodes.nodes.map((node) => isWell(node, organization)));
    if (areWell.every(Boolean)) return [];
    if (performance.now() > until) {
      return areWell.flatMap((each, i) => (each ? [] : [`unhealed: node ${i}: ${lastLines(scene.nodes.get(i))}`]));
    }
    await sleep(LOOK_MS);
  }
}

async function isWell(node: RelataNode, { slug, key }: Organization): Promise<boolean> {
  const body = {
    object: 'document:d0',
    relation: 'viewer',
    subject: 'user:u0',
    consistency: { mode: 'fully_consistent' },
  };
  const signal = AbortSignal.timeout(10_000);
  const answers = await Promise.all([
    new Organization(node, slug, key).post('/zanzibar/check', body, { signal }),
    node.call('GET', '/readyz', { signal }),
  ]).catch(() => undefined);
  return answers !== undefined && answers[0].status === 200 && answers[1].at('checks.log') === 'ok';
}

async function historyOf(
  scene: Scene,
  { slug, key }: Organization,
  after: string,
  { writes, checks }: Workload,
): Promise<History> {
  const last = Math.max(0, ...writes.map(({ revision = 0 }) => revision));
  const told = await Promise.all(
    scene.nodes.nodes.map((node) => readNode(new Organization(node, slug, key), after, last)),
  );
  const contents = await sameMoment(scene);
  const nodes = told.map((each, i): NodeContent => {
    return { ...each, ...(contents[i] as Content), name: `node ${i}` };
  });
  return { writes, checks, nodes, holds };
}

/** Of all nodes after the same message. The log goes on by itself, a message now and then. */
async function sameMoment(scene: Scene): Promise<Content[]> {
  for (const until = performance.now() + HEALED_MS; ; ) {
    const contents = await contentsOf(scene.nodes.nodes.map(({ folder }) => folder));
    const sequences = new Set(contents.map(({ sequence }) => sequence));
    if (sequences.size === 1 || performance.now() > until) return contents;
    await sleep(LOOK_MS);
  }
}
