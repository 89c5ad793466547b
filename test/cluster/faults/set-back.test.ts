import { cpSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterCommand, Documents, documentModel } from '../documents.ts';
import { findNats } from '../find-nats.ts';
import { NatsCluster } from '../nats-cluster.ts';
import { environmentOf, RelataNodes } from '../relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

describe.skipIf('missing' in nats)(`a cluster whose servers were all set back${why}`, () => {
  let servers: NatsCluster;
  let cluster: RelataNodes;
  let documents: Documents;

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
    cluster = await RelataNodes.start(servers);
    const admin = await cluster.get(0).organization('acme');
    documents = new Documents(admin);
    expect((await admin.post('/zanzibar/models', { dsl: documentModel })).status).toBe(201);
  });
  afterAll(async () => {
    await cluster?.remove();
    servers?.remove();
  });

  const written = (name: string) => async (): Promise<number> => (await documents.write(cluster.get(0), name)).status;
  const oldOf = (i: number): string => `${servers.folderOf(i)}-old`;
  const eachServer = async (change: (i: number) => void): Promise<void> => {
    for (let i = 0; i < servers.count; i++) await servers.kill(i);
    for (let i = 0; i < servers.count; i++) change(i);
    for (let i = 0; i < servers.count; i++) servers.run(i);
    await servers.ready();
  };

  it('does not go on quietly, not at a node either that was away, and has all of it after the repair', async () => {
    expect(await written('before')()).toBe(200);
    const away = cluster.get(2);
    expect((await documents.check(away, 'before', { mode: 'fully_consistent' })).body).toMatchObject({ allowed: true });
    await away.process.stop();
    await eachServer((i) => cpSync(servers.folderOf(i), oldOf(i), { recursive: true }));
    for (let n = 0; n < 20; n++) await expect.poll(written(`later-${n}`)).toBe(200);
    await eachServer((i) => {
      rmSync(servers.folderOf(i), { recursive: true });
      cpSync(oldOf(i), servers.folderOf(i), { recursive: true });
      rmSync(oldOf(i), { recursive: true });
    });
    const [ahead, other] = [cluster.get(0), cluster.get(1)];
    const hasStopped = async (): Promise<boolean> => {
      expect(await written('lost')().catch(() => 0)).not.toBe(200);
      return [ahead, other].every(({ process }) => process.output().includes('relata cluster repair'));
    };
    await expect.poll(hasStopped).toBe(true);
    await expect(cluster.restart(2)).rejects.toThrow(/have lost a part of the log/);
    for (const node of cluster.nodes) await node.process.stop();

    const env = { ...environmentOf(servers), PATH: '', RELATA_DATA_DIR: `${ahead.folder}/data` };
    const { stdout } = await clusterCommand(env, 'repair');
    expect(stdout).toContain('The log of the cluster begins with these data');
    for (const i of [0, 1, 2]) await cluster.restart(i);
    for (const node of cluster.nodes) {
      for (const name of ['before', 'later-0', 'later-19']) {
        expect((await documents.check(node, name)).body).toMatchObject({ allowed: true });
      }
      expect((await documents.check(node, 'lost')).body).toMatchObject({ allowed: false });
    }
    await expect.poll(written('after')).toBe(200);
  });
});
