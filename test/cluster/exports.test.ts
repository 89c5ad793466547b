import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Organization } from '../server/running-service.ts';
import { findNats } from './find-nats.ts';
import { NatsCluster } from './nats-cluster.ts';
import { type RelataNode, RelataNodes } from './relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';
const patience = { timeout: 60_000 };

describe.skipIf('missing' in nats)(`an export that is a job, in a cluster${why}`, () => {
  let servers: NatsCluster;
  let cluster: RelataNodes;
  let admin: Organization;

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
    cluster = await RelataNodes.start(servers);
    admin = await cluster.get(0).organization('acme');
  });
  afterAll(async () => {
    await cluster?.remove();
    servers?.remove();
  });

  const at = (node: RelataNode): Organization => new Organization(node, admin.slug, admin.key);
  const filesOf = ({ folder }: RelataNode): string[] => {
    const exports = join(folder, 'data', 'audit-exports');
    return existsSync(exports) ? readdirSync(exports) : [];
  };

  const running = (): RelataNode[] => cluster.nodes.filter(({ process }) => process.isRunning);
  const jobOf = (location: string) => (running()[0] as RelataNode).call('GET', location, { key: admin.key });

  /** Answers the job's path once every node says that it is done. */
  async function exported(node: RelataNode, query: string): Promise<string> {
    const queued = await at(node).call('GET', `/admin/audit-logs/export?async=true&${query}`);
    expect(queued.status).toBe(202);
    const location = queued.headers.get('location') ?? '';
    for (const each of running()) {
      const state = async () => (await each.call('GET', location, { key: admin.key })).at('data.state');
      await expect.poll(state, patience).toBe('done');
    }
    return location;
  }

  async function download(node: RelataNode, location: string): Promise<unknown> {
    const file = await node.call('GET', `${location}/file`, { key: admin.key });
    expect(file.status).toBe(200);
    expect(file.headers.get('content-disposition')).toContain('audit-acme.');
    return file.body;
  }

  it('is the same file at every node, whichever made it, and has nothing of what came later', async () => {
    for (let n = 0; n < 4; n++) {
      const writes = Array.from({ length: 400 }, (_, i) => `role:editor#assignee@user:u${n}-${i}`);
      await at(cluster.get(n % 3)).write(...writes);
    }
    const csv = await exported(cluster.get(0), 'action=tuple.write');
    const json = await exported(cluster.get(1), 'format=json&action=tuple.write');
    const none = await exported(cluster.get(2), 'format=json&to=2000-01-01');
    await at(cluster.get(2)).write('role:editor#assignee@user:later');

    expect(cluster.nodes.map((node) => filesOf(node).length).toSorted()).toEqual([0, 0, 3]);
    const texts = await Promise.all(cluster.nodes.map((node) => download(node, csv)));
    expect(new Set(texts).size).toBe(1);
    const entries = await Promise.all(cluster.nodes.map((node) => download(node, json)));
    expect(entries[0]).toHaveLength(Number((await jobOf(json)).at('data.records')));
    expect(entries[1]).toEqual(entries[0]);
    expect(entries[2]).toEqual(entries[0]);
    expect(JSON.stringify(entries)).not.toContain('user:later');
    expect(String(texts[0]).split('\r\n')).toHaveLength((entries[0] as unknown[]).length + 2);
    for (const node of cluster.nodes) expect(await download(node, none)).toEqual([]);
  });

  it('outlives the node that made it, and the next one is made by another', async () => {
    const location = await exported(cluster.get(0), 'format=json&action=tuple.write');
    const maker = cluster.nodes.find((node) => filesOf(node).length > 0) as RelataNode;
    const before = await download(maker, location);
    await maker.process.stop('SIGKILL');
    for (const node of running()) expect(await download(node, location)).toEqual(before);
    const next = await exported(running()[0] as RelataNode, 'format=json&action=tuple.write');
    for (const node of running()) expect(await download(node, next)).toEqual(before);
    expect((await jobOf(next)).at('data')).toMatchObject({ attempts: 1, reason: null });
  });
});
