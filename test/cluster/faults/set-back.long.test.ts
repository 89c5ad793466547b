/** `npm test` has a log that the servers have lost (`begin-log.test.ts`) and three rounds of faults (`faults.test.ts`). */
import { cpSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Organization, type Service } from '../../server/running-service.ts';
import { clusterCommand } from '../documents.ts';
import { findNats } from '../find-nats.ts';
import { largeModel, writeNoted } from '../large-documents.ts';
import { NatsCluster } from '../nats-cluster.ts';
import { environmentOf, RelataNodes } from '../relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

describe.skipIf('missing' in nats).for([
  { streams: 1, documents: 1 },
  // so large that it stands in the organization's stream
  { streams: 3, documents: 20 },
])(`a cluster of $streams streams whose servers were all set back${why}`, ({ streams, documents }) => {
  let servers: NatsCluster;
  let cluster: RelataNodes;
  let admin: Organization;

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
    cluster = await RelataNodes.start(servers, 3, { RELATA_CLUSTER_STREAMS: String(streams) });
    admin = await cluster.get(0).organization('acme');
    expect((await admin.post('/zanzibar/models', { dsl: largeModel })).status).toBe(201);
  });
  afterAll(async () => {
    await cluster?.remove();
    servers?.remove();
  });

  const at = (node: Service): Organization => new Organization(node, admin.slug, admin.key);
  const written = (name: string) => async (): Promise<number> =>
    (await writeNoted(at(cluster.get(0)), name, documents, 1000)).status;
  const isThere = async (node: Service, name: string, consistency?: unknown): Promise<boolean> => {
    const question = { object: `document:${name}-0`, relation: 'viewer', subject: 'user:anne', consistency };
    return (await at(node).post('/zanzibar/check', question)).at('allowed') === true;
  };
  const oldOf = (i: number): string => `${servers.folderOf(i)}-old`;
  const eachServer = async (change: (i: number) => void): Promise<void> => {
    for (let i = 0; i < servers.count; i++) await servers.kill(i);
    for (let i = 0; i < servers.count; i++) change(i);
    for (let i = 0; i < servers.count; i++) servers.run(i);
    await servers.ready();
  };

  it('does not go on quietly, not at a node either that was away, and has all of it after the repair', async () => {
    if (streams > 1) {
      const move = () => clusterCommand(environmentOf(servers), 'move', 'acme', '1');
      // until a node has seen in the log what all of them read, it says that it does not know
      await expect.poll(() => move().catch(({ stderr }) => stderr)).toMatchObject({ stderr: '' });
    }
    expect(await written('before')()).toBe(200);
    const away = cluster.get(2);
    expect(await isThere(away, 'before', { mode: 'fully_consistent' })).toBe(true);
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
    await expect(cluster.restart(2)).rejects.toThrow(/have lost a part of/);
    for (const node of cluster.nodes) await node.process.stop();

    const env = { ...environmentOf(servers), PATH: '', RELATA_DATA_DIR: `${ahead.folder}/data` };
    const { stdout } = await clusterCommand(env, 'repair');
    expect(stdout).toContain('The log of the cluster begins with these data');
    for (const i of [0, 1, 2]) await cluster.restart(i);
    for (const node of cluster.nodes) {
      for (const name of ['before', 'later-0', 'later-19']) {
        expect(await isThere(node, name), name).toBe(true);
      }
      expect(await isThere(node, 'lost')).toBe(false);
    }
    await expect.poll(written('after')).toBe(200);
  });
});
