import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nextPort } from '../server/next-port.ts';
import { platformKey, RunningService } from '../server/running-service.ts';
import { findNats } from './find-nats.ts';
import { NatsCluster } from './nats-cluster.ts';
import { environmentOf } from './relata-nodes.ts';

const nats = findNats();
const why = 'missing' in nats ? ` (skipped: ${nats.missing})` : '';

describe.skipIf('missing' in nats)(`a node that starts before its NATS servers${why}`, () => {
  let servers: NatsCluster;
  const started: RunningService[] = [];
  const serverNumbers = [0, 1, 2];

  beforeAll(async () => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '' });
  });
  beforeEach(async () => {
    for (const i of serverNumbers) await servers.kill(i);
  });
  afterAll(async () => {
    for (const service of started) await service.remove();
    servers?.remove();
  });

  const start = (port: number, seconds: number): Promise<RunningService> => {
    const more = { RELATA_PORT: String(port), RELATA_CLUSTER_START_WAIT_S: String(seconds) };
    return RunningService.start({ ...environmentOf(servers), ...more });
  };
  const ask = async (port: number, path: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
    return answer === undefined ? 'nobody' : `${answer.status} ${await answer.text()}`;
  };

  it('ends when it has waited for as long as it is told, and says why', async () => {
    const ended = start(await nextPort(), 2);
    await expect(ended).rejects.toThrow(
      /the start waits for the NATS servers.*no NATS server of RELATA_CLUSTER_URL can be reached/s,
    );
  });

  it('waits, alive and not ready, and serves when they are there', async () => {
    const port = await nextPort();
    const starting = start(port, 300);
    await expect
      .poll(() => ask(port, '/readyz'))
      .toMatch(/^503 .*the start waits for the NATS servers: secondsLeft \d+/);
    expect(await ask(port, '/healthz')).toBe('200 {"status":"ok"}');
    for (const i of serverNumbers) servers.run(i);
    const service = await starting;
    started.push(service);
    await expect.poll(() => ask(port, '/readyz')).toMatch(/^200 /);
    const { status } = await fetch(`http://127.0.0.1:${port}/platform/api/v1/orgs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${platformKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ slug: 'acme', name: 'acme' }),
    });
    expect(status).toBe(201);
  });
});
