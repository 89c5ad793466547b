/** `npm test` has what nodes of an earlier version read (`engine/log/stream/`). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askStatus, type ClusterStatus } from '../../engine/log/stream/nats/ask-status.ts';
import type { CopiedProgram } from '../server/copied-program.ts';
import { Organization, type Service } from '../server/running-service.ts';
import { clusterCommand } from './documents.ts';
import { earlierProgram } from './earlier-program.ts';
import { findNats } from './find-nats.ts';
import { largeModel, writeNoted } from './large-documents.ts';
import { NatsCluster } from './nats-cluster.ts';
import { environmentOf, RelataNodes } from './relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

/** Each change is large enough for a side stream. */
const [DOCUMENTS, NOTE_BYTES] = [20, 1000];

interface Written {
  readonly name: string;
  readonly revision: string;
}

describe.skipIf('missing' in nats)(`nodes of a version before streams${why}`, () => {
  let servers: NatsCluster;
  let earlier: CopiedProgram;
  let cluster: RelataNodes;
  let admin: Organization;

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
    earlier = earlierProgram();
    cluster = await RelataNodes.start(servers, 3, { RELATA_CLUSTER_STREAMS: '3' }, earlier.main);
    admin = await cluster.get(0).organization('acme');
    expect((await admin.post('/zanzibar/models', { dsl: largeModel })).status).toBe(201);
  });
  afterAll(async () => {
    await cluster?.remove();
    earlier?.remove();
    servers?.remove();
  });

  const at = (node: Service): Organization => new Organization(node, admin.slug, admin.key);
  const isThere = async (node: Service, { name, revision }: Written): Promise<boolean> => {
    const question = { object: `document:${name}-0`, relation: 'viewer', subject: 'user:anne' };
    const answer = await at(node).post('/zanzibar/check', { ...question, consistency: { atLeast: revision } });
    return answer.at('allowed') === true;
  };
  const status = (): Promise<ClusterStatus> => askStatus(servers.settings);
  const move = (stream: number): Promise<string> =>
    clusterCommand(environmentOf(servers), 'move', 'acme', String(stream)).then(
      () => 'moved',
      ({ stderr }) => String(stderr),
    );

  it('are changed one by one while clients write and read: none fails, and streams are used after the last', async () => {
    /** As a proxy sends them: to none that is being changed. */
    const inService = new Set([0, 1, 2]);
    const underWay = [0, 0, 0];
    const written: Written[] = [];
    let isOver = false;
    let made = 0;
    const nodeFor = async <T>(turn: number, use: (node: Service) => Promise<T>): Promise<T> => {
      const free = [...inService];
      const i = free[turn % free.length] as number; // two at least are in service
      underWay[i] = (underWay[i] ?? 0) + 1;
      try {
        return await use(cluster.get(i));
      } finally {
        underWay[i] = (underWay[i] ?? 0) - 1;
      }
    };
    const client = async (): Promise<void> => {
      while (!isOver) {
        const name = `c-${made++}`;
        const turn = made;
        const answer = await nodeFor(turn, (node) => writeNoted(at(node), name, DOCUMENTS, NOTE_BYTES));
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        const each = { name, revision: answer.text('revision') };
        written.push(each);
        expect(await nodeFor(turn + 1, (node) => isThere(node, each)), name).toBe(true);
      }
    };
    const clients = Promise.all([client(), client(), client()]);
    const moreIsWritten = async (): Promise<void> => {
      const before = written.length;
      await Promise.race([clients, expect.poll(() => written.length).toBeGreaterThan(before + 10)]);
    };
    for (const i of [0, 1, 2]) {
      await moreIsWritten();
      expect(await move(1)).toContain('not all nodes are known to read');
      expect((await status()).beside).toEqual([]);
      inService.delete(i);
      await expect.poll(() => underWay[i]).toBe(0);
      await cluster.restart(i, 'SIGTERM');
      inService.add(i);
      const formats = (await status()).nodes.map((node) => node.formats?.log);
      expect(formats.toSorted()).toEqual([2, 2, 2].fill(3, 2 - i));
      expect(cluster.nodes.every(({ process }) => process.isRunning)).toBe(true);
    }
    await expect.poll(() => move(1)).toBe('moved');
    await moreIsWritten();
    isOver = true;
    await clients;
    expect((await status()).beside).toContainEqual(expect.objectContaining({ number: 1 }));
    for (const node of cluster.nodes) {
      for (const each of written) expect(await isThere(node, each), each.name).toBe(true);
    }
    const areSame = async (): Promise<boolean> => {
      const { nodes } = await status();
      return nodes.length === 3 && new Set(nodes.map(({ sequence, state }) => `${sequence} ${state}`)).size === 1;
    };
    await expect.poll(areSame).toBe(true);
  });
});
