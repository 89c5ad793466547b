import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterStatus } from '../../engine/log/stream/nats/ask-status.ts';
import {
  type Organization,
  platformKey,
  RunningService,
  type Service,
  spawnService,
} from '../server/running-service.ts';
import { clusterCommand, Documents, documentModel } from './documents.ts';
import { findNats } from './find-nats.ts';
import { NatsCluster } from './nats-cluster.ts';
import { environmentOf, RelataNode, RelataNodes } from './relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

describe.skipIf('missing' in nats)(`three nodes of a cluster${why}`, () => {
  let servers: NatsCluster;
  let cluster: RelataNodes;
  let admin: Organization;
  let documents: Documents;
  /** A node that waits for the log ends at the first signal. */
  const endsWhileItStarts = async (): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'relata-waiting-'));
    const { child, output } = spawnService(folder, environmentOf(servers));
    await expect.poll(output).toContain('is starting');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited, output()).toEqual([0, null]);
    rmSync(folder, { recursive: true });
  };

  type Ended = { readonly stdout: string; readonly stderr: string; readonly code: number };
  const shown = (): Promise<Ended> => clusterCommand(environmentOf(servers), 'status').catch((error) => error);

  /** The server that is left tells of the log at first, and then of nothing: how far nodes are is shown all the same. */
  const showsNodesWithoutServers = async (): Promise<void> => {
    await expect.poll(async () => (await shown()).stdout).toMatch(/does not answer|do not tell of other streams/);
    const refusing = async (): Promise<unknown> => (await shown()).stdout.match(/refuses writes$/gm)?.length;
    await expect.poll(refusing).toBe(cluster.nodes.length);
    expect(await shown()).toMatchObject({ stderr: '', code: 1 });
  };

  const status = async (): Promise<ClusterStatus> => {
    const env = environmentOf(servers);
    const { stdout } = await clusterCommand(env, 'status', '--json');
    return JSON.parse(stdout) as ClusterStatus;
  };
  const metric = async (node: Service, name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(String((await node.call('GET', '/metrics')).body))?.[1]);

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
    cluster = await RelataNodes.start(servers, 3, { RELATA_CLUSTER_SNAPSHOT_MESSAGES: '40' });
    admin = await cluster.get(0).organization('acme');
    documents = new Documents(admin);
    const model = await admin.post('/zanzibar/models', { dsl: documentModel });
    expect(model.status).toBe(201);
  });
  afterAll(async () => {
    await cluster?.remove();
    servers?.remove();
  });

  it('answer at every node what was written at another, at the revision of its token', async () => {
    for (let n = 0; n < 30; n++) {
      const written = await documents.write(cluster.get(n % 3), `t${n}`);
      expect(written.status, JSON.stringify(written.body)).toBe(200);
      const atLeast = written.text('revision');
      for (const node of cluster.nodes) {
        const answer = await documents.check(node, `t${n}`, { atLeast });
        expect(answer.body).toMatchObject({ allowed: true });
      }
    }
  });

  it('answer what was acknowledged anywhere before, where a question wants it fully consistent', async () => {
    for (let n = 0; n < 20; n++) {
      await documents.write(cluster.get(n % 3), `f${n}`);
      const answer = await documents.check(cluster.get((n + 1) % 3), `f${n}`, { mode: 'fully_consistent' });
      expect(answer.body).toMatchObject({ allowed: true });
    }
  });

  it('take what only one of them may do once: a slug is given to one of three who ask at the same time', async () => {
    for (let n = 0; n < 5; n++) {
      const body = { slug: `once-${n}`, name: 'Once' };
      const answers = await Promise.all(
        cluster.nodes.map((node) => node.call('POST', '/platform/api/v1/orgs', { key: platformKey, body })),
      );
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    }
  });

  it('tell how they do: by the command, at /readyz and /metrics', async () => {
    const { stream, nodes } = await status();
    expect(stream).toMatchObject({ name: 'relata', leader: expect.stringMatching(/^n\d$/) });
    expect([stream.replicas.length, nodes.length]).toEqual([2, 3]);
    for (const node of nodes) expect(node).toMatchObject({ isReading: true, isWritable: true });
    for (const node of cluster.nodes) {
      await expect.poll(async () => (await node.call('GET', '/readyz')).at('checks.log')).toBe('ok');
      await expect.poll(() => metric(node, 'relata_cluster_sequence')).toBeGreaterThan(20);
      await expect.poll(() => metric(node, 'relata_cluster_nodes')).toBe(3);
      expect(await metric(node, 'relata_cluster_nodes_absent')).toBe(0);
    }
    const works = await Promise.all(cluster.nodes.map((node) => metric(node, 'relata_cluster_works')));
    expect(works.toSorted()).toEqual([0, 0, 1]);
  });

  it('have two snapshots of a log of many messages, which is cut behind the older one; every node tells of the last', async () => {
    const firstAfterMore = async (): Promise<number> => {
      for (let n = 0; n < 30; n++) await documents.write(cluster.get(n % 3), `more${n}`);
      return (await status()).stream.first;
    };
    await expect.poll(firstAfterMore).toBeGreaterThan(1);
    expect((await status()).snapshots).toHaveLength(2);
    const [snapshot] = (await status()).snapshots;
    expect(snapshot?.sequence).toBeGreaterThanOrEqual(40);
    expect(snapshot?.bytes).toBeGreaterThan(10_000);
    for (const node of cluster.nodes) {
      await expect.poll(() => metric(node, 'relata_cluster_snapshot_sequence')).toBeGreaterThanOrEqual(40);
    }
  });

  it('refuses writes with 503 without a majority of the servers, answers checks from what it has, and goes on after', async () => {
    await documents.write(cluster.get(0), 'kept');
    for (const node of cluster.nodes) {
      expect((await documents.check(node, 'kept', { mode: 'fully_consistent' })).body).toMatchObject({ allowed: true });
    }
    await servers.kill(0);
    await servers.kill(1);
    const [node] = cluster.nodes;
    await expect.poll(async () => (await documents.write(node as Service, 'lost')).status).toBe(503);
    for (const each of cluster.nodes) {
      expect(await documents.check(each, 'kept')).toMatchObject({ status: 200, body: { allowed: true } });
    }
    expect(await documents.check(node as Service, 'kept', { mode: 'fully_consistent' })).toMatchObject({ status: 503 });
    await showsNodesWithoutServers();
    await endsWhileItStarts();
    servers.run(0);
    servers.run(1);
    await servers.ready();
    for (const each of cluster.nodes) {
      await expect.poll(async () => (await documents.write(each, 'after')).status).toBe(200);
    }
  });

  it('has all of it at a node that was killed and comes back, and at one that begins with nothing', async () => {
    const killed = cluster.get(2);
    await killed.process.stop('SIGKILL');
    const { port } = new URL(killed.url);
    const isMissed = expect.stringMatching(new RegExp(`^.*:${port}: does not answer, last seen \\d+ min ago$`, 'm'));
    expect(await shown()).toMatchObject({ code: 1, stdout: isMissed });
    const { revision } = (await documents.write(cluster.get(0), 'meanwhile')).body as { revision: string };
    await cluster.restart(2);
    expect((await documents.check(cluster.get(2), 'meanwhile', { atLeast: revision })).body).toMatchObject({
      allowed: true,
    });
    const late = await RelataNode.start(environmentOf(servers));
    try {
      expect(late.process.output()).toContain('this node starts from a snapshot');
      for (const name of ['kept', 'meanwhile'])
        expect((await documents.check(late, name)).body).toMatchObject({ allowed: true });
      const written = await documents.write(late, 'late');
      const atLeast = written.text('revision');
      expect((await documents.check(cluster.get(0), 'late', { atLeast })).body).toMatchObject({ allowed: true });
    } finally {
      await late.process.remove();
    }
  });

  it('moves the shared jobs to another node when the one that does it is paused, which sees so when it wakes', async () => {
    const isWorking = (node: RelataNode): boolean =>
      node.process.output().lastIndexOf('this node runs the shared jobs') >
      node.process.output().lastIndexOf('this node no longer runs the shared jobs');
    const workers = () => cluster.nodes.filter(isWorking);
    await expect.poll(workers).toHaveLength(1);
    const [worker] = workers() as [RelataNode];
    const [other] = cluster.nodes.filter((node) => node !== worker) as [RelataNode];
    process.kill(worker.process.pid, 'SIGSTOP');
    const written = await documents.write(other, 'asleep');
    expect(written.status).toBe(200);
    await expect.poll(() => workers().filter((node) => node !== worker)).toHaveLength(1);
    process.kill(worker.process.pid, 'SIGCONT');
    await expect.poll(() => isWorking(worker)).toBe(false);
    const atLeast = written.text('revision');
    expect((await documents.check(worker, 'asleep', { atLeast })).body).toMatchObject({ allowed: true });
    expect((await documents.write(worker, 'awake')).status).toBe(200);
    expect(workers()).toHaveLength(1);
  });

  it('does not start alone on the folder of a node, nor as a node with data of its own', async () => {
    const node = cluster.get(2);
    await node.process.stop();
    const alone = { RELATA_MASTER_KEY: environmentOf(servers).RELATA_MASTER_KEY ?? '' };
    await expect(RunningService.start(alone, node.folder)).rejects.toThrow(/belongs to a node of a cluster/);
    await cluster.restart(2);
    const single = await RunningService.start(alone);
    try {
      await single.stop();
      await expect(RelataNode.start(environmentOf(servers), single.folder)).rejects.toThrow(/data of a single node/);
    } finally {
      await single.remove();
    }
  });
});
