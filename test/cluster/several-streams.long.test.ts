/**
 * `npm test` has side streams on servers (`side-streams.test.ts`), and moves between streams in one process
 * (`engine/log/stream/several-streams.test.ts`).
 */
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterStatus } from '../../engine/log/stream/nats/ask-status.ts';
import { Organization, type Service } from '../server/running-service.ts';
import { clusterCommand } from './documents.ts';
import { findNats } from './find-nats.ts';
import { largeModel, writeNoted } from './large-documents.ts';
import { NatsCluster } from './nats-cluster.ts';
import { environmentOf, RelataNode, RelataNodes } from './relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

const STREAMS = 3;
const SLUGS = ['acme', 'bolt', 'core'];
const MORE = { RELATA_CLUSTER_STREAMS: String(STREAMS), RELATA_CLUSTER_SNAPSHOT_MESSAGES: '60' };

/** What a client was told of one write. */
interface Written {
  readonly slug: string;
  readonly name: string;
  readonly revision: string;
}

describe.skipIf('missing' in nats)(`organizations that are spread over streams${why}`, () => {
  let servers: NatsCluster;
  let cluster: RelataNodes;
  const organizations = new Map<string, Organization>();
  const at = (node: Service, slug: string): Organization =>
    new Organization(node, slug, organizations.get(slug)?.key ?? '');
  const status = async (): Promise<ClusterStatus> => {
    const { stdout } = await clusterCommand(environmentOf(servers), 'status', '--json');
    return JSON.parse(stdout) as ClusterStatus;
  };
  const move = (slug: string, stream: number) => clusterCommand(environmentOf(servers), 'move', slug, String(stream));
  const isThere = async (node: Service, { slug, name, revision }: Written): Promise<boolean> => {
    const consistency = { atLeast: revision };
    const question = { object: `document:${name}-0`, relation: 'viewer', subject: 'user:anne', consistency };
    return (await at(node, slug).post('/zanzibar/check', question)).at('allowed') === true;
  };

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
    cluster = await RelataNodes.start(servers, 3, MORE);
    for (const slug of SLUGS) {
      const organization = await cluster.get(0).organization(slug);
      organizations.set(slug, organization);
      expect((await organization.post('/zanzibar/models', { dsl: largeModel })).status).toBe(201);
    }
  });
  afterAll(async () => {
    await cluster?.remove();
    servers?.remove();
  });

  it('are moved while clients write and read: no request fails, and each write is there, at every node alike', async () => {
    // until a node has seen in the log what all of them read, it says that it does not know
    await expect.poll(() => move('acme', 0).catch(({ stderr }) => stderr)).toMatchObject({ stderr: '' });
    expect((await status()).nodes.map(({ streams }) => streams)).toEqual([STREAMS, STREAMS, STREAMS]);
    const written: Written[] = [];
    let isOver = false;
    let made = 0;
    const client = async (slug: string, i: number): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const name = `${slug}-${i}-${made++}`;
        const [node, other] = [cluster.get((i + n) % 3), cluster.get((i + n + 1) % 3)];
        const answer = await writeNoted(at(node, slug), name, n % 3 === 0 ? 1 : 20, 1000);
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        written.push({ slug, name, revision: answer.text('revision') });
        expect(await isThere(other, written.at(-1) as Written)).toBe(true);
      }
    };
    const clients = SLUGS.flatMap((slug) => [0, 1].map((i) => client(slug, i)));
    for (let round = 0; round < 3; round++) {
      for (const [i, slug] of SLUGS.entries()) {
        await move(slug, (i + round) % STREAMS);
        const before = written.length;
        await expect.poll(() => written.length).toBeGreaterThan(before + 6);
      }
    }
    isOver = true;
    await Promise.all(clients);
    for (const node of cluster.nodes) {
      for (const each of written) expect(await isThere(node, each), each.name).toBe(true);
    }
    // each move by the command, and nothing of those that were refused before
    for (const slug of SLUGS) {
      const moved = await at(cluster.get(1), slug).call('GET', '/admin/audit-logs?action=organization.move_stream');
      const entry = {
        actorId: 'operator',
        actorType: 'admin',
        metadata: { stream: expect.any(Number), host: hostname() },
      };
      const moves = Array.from({ length: 3 + (slug === 'acme' ? 1 : 0) }, () => expect.objectContaining(entry));
      expect(moved.list('data')).toEqual(moves);
      const asked = await at(cluster.get(1), slug).call(
        'GET',
        '/admin/audit-logs?action=organization.request_stream_move',
      );
      expect(asked.list('data')).toEqual(moves);
    }
    const { beside } = await status();
    expect(beside.map(({ number }) => number)).toEqual([1, 2]);
    for (const { last, replicas } of beside) {
      expect(last).toBeGreaterThan(10);
      expect(replicas).toHaveLength(2);
    }
    for (const node of cluster.nodes) await expectStreams(node);
    await expect
      .poll(async () => {
        const { nodes } = await status();
        return nodes.length === 3 && new Set(nodes.map(({ sequence, state }) => `${sequence} ${state}`)).size === 1;
      })
      .toBe(true);
  });

  /** What a node tells of each stream, when all is applied. */
  async function expectStreams(node: RelataNode): Promise<void> {
    const { beside } = await status();
    const metric = async (name: string, stream: number): Promise<number> => {
      const page = await (await fetch(`${node.url}/metrics`)).text();
      const line = `relata_cluster_stream_${name}{stream="${stream}"} `;
      return Number(
        page
          .split('\n')
          .find((each) => each.startsWith(line))
          ?.slice(line.length),
      );
    };
    for (const { number, last } of beside) {
      await expect.poll(() => metric('sequence', number)).toBe(last);
      expect(await metric('behind', number)).toBe(0);
      expect(await metric('waiting_bytes', number)).toBe(0);
    }
    const { stdout } = await clusterCommand(environmentOf(servers), 'status').catch((error) => error);
    expect(stdout).toMatch(/^ {2}stream 2: message [\d,]+, behind by 0, 0 bytes wait$/m);
  }

  it('are all there at a node that begins with nothing, when there are snapshots', async () => {
    await expect.poll(async () => (await status()).snapshots.length).toBe(2);
    const late = await RelataNode.start({ ...environmentOf(servers), ...MORE });
    cluster.nodes.push(late);
    for (const slug of SLUGS) {
      const answer = await writeNoted(at(cluster.get(0), slug), `late-${slug}`, 20, 1000);
      const revision = answer.text('revision');
      expect(await isThere(late, { slug, name: `late-${slug}`, revision })).toBe(true);
    }
  });

  it.each([
    { name: 'a stream that is not there', to: ['acme', '3'], says: 'there is no stream 3: this node has 3 of them' },
    { name: 'an organization that is not there', to: ['nobody', '1'], says: 'there is no organization nobody' },
    { name: 'what is no number', to: ['acme', 'one'], says: 'must be a number' },
  ])('are not moved where the command names $name', async ({ to, says }) => {
    const refused = clusterCommand(environmentOf(servers), 'move', ...to);
    await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining(says) });
  });
});
