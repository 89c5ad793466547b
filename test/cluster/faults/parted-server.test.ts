import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findNats } from '../find-nats.ts';
import { NatsCluster } from '../nats-cluster.ts';
import type { Place } from '../place.ts';
import { environmentOf, RelataNode } from '../relata-nodes.ts';
import { whyNoNetworks } from './machine.ts';
import { Network } from './network.ts';

const SERVERS = [0, 1, 2];
const NODE = SERVERS.length;
const ELSEWHERE_MS = 45_000;

const nats = findNats();
const missing = 'missing' in nats ? nats.missing : whyNoNetworks();
let network: Network;
let servers: NatsCluster;
let node: RelataNode;

beforeAll(async () => {
  if (missing !== undefined || !('path' in nats)) return;
  network = new Network(SERVERS.length + 1);
  servers = await NatsCluster.start({ path: nats.path, places: network.places.slice(0, SERVERS.length) });
  const place = network.places[NODE] as Place;
  node = await RelataNode.start({ ...environmentOf(servers), RELATA_LIMIT_RATE_REFUSED: '0' }, undefined, place);
});
afterAll(async () => {
  await node?.process.remove();
  servers?.remove();
  network?.remove();
});

// what is parted stays so: a second try would find another network
it('a node whose server is cut off from the other servers goes to another one', { retry: 0 }, async ({ skip }) => {
  if (missing !== undefined) skip(missing);
  const organization = await node.organization('parted');
  await organization.model('type user\ntype document\n  relations\n    define viewer: [user]');
  const write = async (number: number): Promise<number> => {
    const writes = [{ object: `document:d${number}`, relation: 'viewer', subject: 'user:u' }];
    return (await organization.post('/zanzibar/tuples', { writes })).status;
  };
  expect(await write(0)).toBe(200);
  const server = await servers.serverOf(network.places[NODE]?.address as string);
  network.part(
    server,
    SERVERS.filter((other) => other !== server),
  );
  const from = performance.now();
  let status = 0;
  for (let number = 1; status !== 200 && performance.now() - from < ELSEWHERE_MS; number++) {
    status = await write(number);
    await sleep(250);
  }
  expect(status).toBe(200);
  expect(await servers.serverOf(network.places[NODE]?.address as string)).not.toBe(server);
});
