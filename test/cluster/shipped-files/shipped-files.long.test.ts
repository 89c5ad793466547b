/** `npm test` has the settings that the files name (`architecture/cluster-files.test.ts`). */
/** The files that are shipped for a cluster, started without containers: the same commands, environments, names and probes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Organization, Service } from '../../server/running-service.ts';
import { Documents, documentModel } from '../documents.ts';
import { whyNoNetworks } from '../faults/machine.ts';
import { Network } from '../faults/network.ts';
import { findNats } from '../find-nats.ts';
import type { Place } from '../place.ts';
import { containersOf } from './compose-file.ts';
import { type Container, StartedContainer } from './container.ts';
import { type Pod, type Probe, podsOf } from './manifests.ts';

const nats = findNats();
const path = 'path' in nats ? nats.path : '';
const obstacle = 'missing' in nats ? nats.missing : whyNoNetworks();
const why = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;
const hasProxy = spawnSync('haproxy', ['-v']).status === 0;
const patience = { timeout: 120_000 };

const random = (): string => Array.from({ length: 48 }, () => Math.floor(Math.random() * 36).toString(36)).join('');

describe.skipIf(obstacle !== undefined)(`what is shipped for a cluster${why}`, () => {
  let folder: string;
  let network: Network;
  const started: StartedContainer[] = [];
  const platformKey = random();

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'relata-shipped-'));
    network = new Network(7);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((each) => each.stop('SIGKILL')));
  });
  afterAll(() => {
    network?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const dataOf = (host: string): string => {
    const data = join(folder, host);
    mkdirSync(data, { recursive: true });
    return data;
  };

  function start(containers: readonly Container[]): StartedContainer[] {
    const hosts = join(folder, `hosts-${started.length}`);
    const places = containers.map((_, i) => network.places[i] as Place);
    writeFileSync(hosts, containers.map(({ host }, i) => `${places[i]?.address} ${host}\n`).join(''));
    started.push(...containers.map((each, i) => new StartedContainer(each, places[i] as Place, hosts)));
    return started;
  }

  const statusOf = (container: StartedContainer, port: number, path: string): Promise<number> =>
    fetch(container.urlOf(port) + path).then(
      ({ status }) => status,
      () => 0,
    );

  it('starts as the manifests say, answers their probes, and ends without a failed request', async () => {
    const secret = { 'platform-key': platformKey, 'master-key': random(), 'nats-password': random() };
    const options = { nats: path, secret: { ...secret, 'nats-route-password': random() }, dataOf };
    const pods = [...podsOf('nats.yaml', options), ...podsOf('relata.yaml', options)];
    expect(pods).toHaveLength(6);
    const running = start(pods.map(({ container }) => container));
    const answers = (i: number, { httpGet }: Probe): Promise<number> => {
      const port = pods[i]?.ports[httpGet.port] ?? 0;
      return statusOf(running[i] as StartedContainer, port, httpGet.path);
    };
    for (const [i, { startupProbe, readinessProbe, livenessProbe }] of pods.entries()) {
      const { periodSeconds, failureThreshold = 3 } = startupProbe;
      const began = Date.now();
      while ((await answers(i, startupProbe)) !== 200) {
        expect(Date.now() - began, running[i]?.output).toBeLessThan(periodSeconds * failureThreshold * 1000);
        await sleep(200);
      }
      await expect.poll(() => answers(i, readinessProbe), patience).toBe(200);
      expect(await answers(i, livenessProbe)).toBe(200);
    }
    const node = (n: number) => new Service({ folder: '', url: (running[3 + n] as StartedContainer).urlOf(8080) });
    const documents = await worksOn([node(0), node(1), node(2)]);

    const [last, pod] = [running[5] as StartedContainer, pods[5] as Pod];
    const began = Date.now();
    const ended = last.stop();
    await expect.poll(() => answers(5, pod.readinessProbe), patience).toBe(503);
    expect((await documents.check(node(2), 'shared')).body).toMatchObject({ allowed: true });
    expect(await ended, last.output).toBe(0);
    expect(Date.now() - began).toBeLessThan(pod.terminationGracePeriodSeconds * 1000);
  });

  it.skipIf(!hasProxy)('starts as the Compose file says, behind its proxy (skipped without haproxy)', async () => {
    const keys = ['RELATA_MASTER_KEY', 'NATS_PASSWORD', 'NATS_ROUTE_PASSWORD'].map((name) => [name, random()]);
    const variables = { RELATA_PLATFORM_KEY: platformKey, ...Object.fromEntries(keys) };
    const containers = containersOf({ nats: path, variables, dataOf });
    expect(containers).toHaveLength(7);
    const running = start(containers);
    const proxy = running[6] as StartedContainer;
    await expect.poll(() => statusOf(proxy, 8080, '/readyz'), { ...patience, message: proxy.output }).toBe(200);
    for (const node of running.slice(3, 6))
      await expect.poll(() => statusOf(node, 8080, '/readyz'), patience).toBe(200);
    const service = new Service({ folder: '', url: proxy.urlOf(8080) });
    const documents = await worksOn([service]);
    // whichever node the proxy takes for this client, another one answers when it has gone
    for (const node of running.slice(3, 5)) {
      expect(await node.stop(), node.output).toBe(0);
      await expect.poll(() => statusOf(proxy, 8080, '/readyz'), patience).toBe(200);
      expect((await documents.check(service, 'shared')).body).toMatchObject({ allowed: true });
    }
  });

  /** A change at the first, and a check at each at the revision of it. */
  async function worksOn(services: readonly Service[]): Promise<Documents> {
    const [first] = services as readonly [Service];
    const key = { key: platformKey, body: { slug: 'acme', name: 'Acme' } };
    const created = await first.call('POST', '/platform/api/v1/orgs', key);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const documents = new Documents(new Organization(first, 'acme', created.text('data.adminApiKey')));
    expect((await documents.at(first).post('/zanzibar/models', { dsl: documentModel })).status).toBe(201);
    const atLeast = (await documents.write(first, 'shared')).text('revision');
    for (const service of services) {
      expect((await documents.check(service, 'shared', { atLeast })).body).toMatchObject({ allowed: true });
    }
    return documents;
  }
});
