import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CopiedProgram } from './copied-program.ts';
import { RunningService } from './running-service.ts';

describe('a build whose packages of NATS are not there', () => {
  let program: CopiedProgram;
  let service: RunningService | undefined;

  beforeAll(() => {
    program = new CopiedProgram({ without: '@nats-io' });
  });
  afterAll(async () => {
    await service?.remove();
    program?.remove();
  });

  it('serves as a single node, which loads none of them, and ends well', async () => {
    service = await RunningService.start({}, undefined, [], program.main);
    const admin = await service.organization('acme');
    await admin.model('type user', 'type document', '  relations', '    define viewer: [user]');
    const writes = ['document:a#viewer@user:anne'];
    expect((await admin.post('/zanzibar/tuples', { writes })).status).toBe(200);
    const question = { object: 'document:a', relation: 'viewer', subject: 'user:anne' };
    expect((await admin.post('/zanzibar/check', question)).body).toMatchObject({ allowed: true });
    expect((await service.call('GET', '/readyz')).status).toBe(200);
    expect(await service.stop()).toBe(0);
  });

  it('does not start as a node of a cluster', async () => {
    const env = {
      RELATA_CLUSTER_URL: 'nats://127.0.0.1:1',
      RELATA_BASE_URL: 'http://localhost:8080',
      RELATA_MASTER_KEY: 'master-key-of-the-tests-0123456789-0123456789',
      RELATA_CLUSTER_START_WAIT_S: '0',
    };
    await expect(RunningService.start(env, undefined, [], program.main)).rejects.toThrow(/@nats-io/);
  });
});
