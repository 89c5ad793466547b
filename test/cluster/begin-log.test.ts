import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo } from '../../engine/log/stream/nats/connection/connect.ts';
import { type Organization, RunningService } from '../server/running-service.ts';
import { clusterCommand, Documents, documentModel, relataCommand } from './documents.ts';
import { findNats } from './find-nats.ts';
import { NatsCluster } from './nats-cluster.ts';
import { environmentOf, RelataNode } from './relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

/** Longer than a command waits for one answer. */
const STARTING_MS = 12_000;
const byOperator = { actorId: 'operator', actorType: 'admin', eventType: 'admin.action', targetType: 'organization' };

describe.skipIf('missing' in nats)(`a log that begins with data${why}`, () => {
  let servers: NatsCluster;
  let single: RunningService;
  let documents: Documents;
  const nodes: RelataNode[] = [];

  /** What the command prints. */
  const cluster = async (command: string, folder: string, ...more: string[]): Promise<string> => {
    const env = { ...environmentOf(servers), RELATA_DATA_DIR: `${folder}/data` };
    const ended = await clusterCommand(env, command, ...more).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    return ended.stdout + ended.stderr;
  };
  const start = async (folder?: string): Promise<RelataNode> => {
    const node = await RelataNode.start(environmentOf(servers), folder);
    nodes.push(node);
    return node;
  };

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
    const { RELATA_MASTER_KEY = '', RELATA_PLATFORM_KEY = '' } = environmentOf(servers);
    single = await RunningService.start({ RELATA_MASTER_KEY, RELATA_PLATFORM_KEY });
    const admin: Organization = await single.organization('acme');
    documents = new Documents(admin);
    expect((await admin.post('/zanzibar/models', { dsl: documentModel })).status).toBe(201);
    expect((await documents.write(single, 'alone')).status).toBe(200);
    await single.stop();
  });
  afterAll(async () => {
    for (const node of nodes) await node.process.remove();
    await single?.remove();
    servers?.remove();
  });

  it('is made of a single node by a command; it and an empty node serve it, and other data are refused', async () => {
    expect(await cluster('repair', single.folder)).toContain('run "relata cluster init"');
    expect(await cluster('init', single.folder)).toContain('The log of the cluster begins with these data');
    const [first, second] = [await start(single.folder), await start()];
    expect(second.process.output()).toContain('this node starts from a snapshot');
    for (const node of [first, second]) {
      expect((await documents.check(node, 'alone')).body).toMatchObject({ allowed: true });
      expect(await entriesOf(node, 'cluster.init')).toEqual([expect.objectContaining(byOperator)]);
    }
    const atLeast = (await documents.write(second, 'together')).text('revision');
    expect((await documents.check(first, 'together', { atLeast })).body).toMatchObject({ allowed: true });
    expect(await cluster('init', single.folder)).toMatch(/in use|is used by/);

    const { RELATA_MASTER_KEY = '' } = environmentOf(servers);
    const other = await RunningService.start({ RELATA_MASTER_KEY });
    await other.stop();
    await expect(start(other.folder)).rejects.toThrow(/relata cluster init/);
    expect(await cluster('init', other.folder)).toContain('nodes of the cluster run');
    await other.remove();
  });

  it('is begun again from the node that is furthest, when the servers have lost it', async () => {
    const [first, second] = nodes as [RelataNode, RelataNode];
    const { revision } = (await documents.write(first, 'last')).body as { revision: string };
    await second.process.stop();
    expect((await documents.write(first, 'at-the-first-alone')).status).toBe(200);
    await loseLog();
    await expect.poll(() => first.process.output()).toContain('relata cluster repair');
    await first.process.stop();
    // an empty node does not begin another log meanwhile
    await expect(start()).rejects.toThrow(/relata cluster repair/);
    expect(await cluster('init', first.folder)).toContain('run "relata cluster repair"');
    expect(await cluster('repair', first.folder)).toContain(
      'The log of the cluster begins with these data, which have message',
    );
    expect(await cluster('repair', second.folder)).toContain('was repaired from another node already');
    const back = [await start(first.folder), await start(second.folder)];
    expect(back[1]?.process.output()).toContain('its older data are kept');
    for (const node of back) {
      for (const name of ['alone', 'together', 'last', 'at-the-first-alone']) {
        expect((await documents.check(node, name)).body).toMatchObject({ allowed: true });
      }
      expect(await documents.check(node, 'last', { atLeast: revision })).toMatchObject({ status: 410 });
    }
    for (const node of back) {
      expect(await entriesOf(node, 'cluster.repair')).toEqual([expect.objectContaining(byOperator)]);
      expect(await entriesOf(node, 'cluster.init')).toHaveLength(1);
    }
    const atLeast = (await documents.write(back[1] as RelataNode, 'after')).text('revision');
    expect((await documents.check(back[0] as RelataNode, 'after', { atLeast })).body).toMatchObject({ allowed: true });
    await back[0]?.process.stop();
    await back[1]?.process.stop();
    expect(await cluster('repair', first.folder)).toContain('there is nothing to repair');
    const environment = { ...environmentOf(servers), RELATA_DATA_DIR: `${first.folder}/data` };
    expect((await relataCommand(environment, 'audit', 'verify')).stdout).toMatch(/^acme: \d+ entries are whole/);
    await expect(relataCommand(environment, 'cluster', 'status')).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('no node answers'),
    });
    rmSync(`${second.folder}/data`, { recursive: true });
  });

  it('is begun when servers answer that have just been started', async () => {
    const { folder } = nodes[0] as RelataNode;
    const missing = [1, 2];
    for (const i of missing) await servers.kill(i);
    const env = { ...environmentOf(servers), RELATA_DATA_DIR: `${folder}/data`, RELATA_CLUSTER_UNSAFE: '1' };
    const begun = clusterCommand(env, 'repair', '--force').catch((error: unknown) => error);
    await sleep(STARTING_MS);
    for (const i of missing) servers.run(i);
    expect(await begun).toMatchObject({
      stdout: expect.stringContaining('The log of the cluster begins with these data'),
      stderr: expect.stringContaining('are waited for'),
    });
  });

  /** Of the organization's log, as a node tells them. */
  async function entriesOf(node: RelataNode, action: string): Promise<unknown[]> {
    return (await documents.at(node).call('GET', `/admin/audit-logs?action=${action}`)).list('data');
  }

  async function loseLog(): Promise<void> {
    const connection = await connectTo({ ...settingsOf(), name: 'test' });
    await (await jetstreamManager(connection)).streams.delete('relata');
    await connection.close();
  }

  function settingsOf() {
    return { url: servers.url, stream: 'relata', replicas: 3, allowUnsafe: false, fingerprint: '' };
  }
});
