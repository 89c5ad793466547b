import { nkeys } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { JetStream } from '../../engine/log/stream/nats/jet-stream.ts';
import type { StreamSettings } from '../../engine/log/stream/nats/settings.ts';
import { findNats } from './find-nats.ts';
import { NatsCluster } from './nats-cluster.ts';
import { ServerSecrets } from './server-secrets.ts';

const nats = findNats();

describe.skipIf('missing' in nats)('NATS servers that let in only whom they know', () => {
  const secrets = new ServerSecrets();
  let servers: NatsCluster | undefined;
  let stream: JetStream | undefined;

  beforeAll(() => {
    for (const name of ['server', 'node', 'other']) secrets.makeCertificate(name);
    secrets.makeCertificate('elsewhere', '127.0.0.2');
    secrets.makeCredentials('node.creds');
    secrets.makeCredentials('other.creds', nkeys.createAccount());
  });
  afterEach(async () => {
    await stream?.close();
    stream = undefined;
    servers?.remove();
  });
  afterAll(() => secrets.remove());

  const start = async (more: string): Promise<string> => {
    servers = await NatsCluster.start({ path: 'path' in nats ? nats.path : '', servers: 1, more });
    return servers.url;
  };
  const open = async (url: string, more: Partial<StreamSettings>): Promise<JetStream> => {
    const settings = { url, stream: 'relata', replicas: 1, allowUnsafe: true, name: 'test', fingerprint: 'f' };
    stream = await JetStream.open({ ...settings, ...more });
    return stream;
  };
  const certificate = (name: string) => ({
    certificateFile: secrets.file(`${name}.crt`),
    keyFile: secrets.file(`${name}.key`),
  });

  it('by a certificate: it must be one that they ask for, and theirs one of the authority in the settings', async () => {
    const url = (await start(secrets.tlsBlock('server', 'node'))).replace('nats://', 'tls://');
    const caFile = secrets.file('server.crt');
    const unknown = [{ caFile }, { caFile, ...certificate('other') }];
    const refusals = await Promise.allSettled(unknown.map((more) => open(url, more)));
    for (const refused of refusals) {
      expect(refused).toMatchObject({ reason: { code: 'unavailable', message: expect.stringMatching(/certificate/) } });
    }
    await expect(open(url, { caFile: secrets.file('other.crt'), ...certificate('node') })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('certificate'),
    });
    await expect(open(url, certificate('node'))).rejects.toMatchObject({ code: 'unavailable' });
    await open(url, { caFile, ...certificate('node') });
  });

  it('by a certificate of theirs that is for another address: they are not used', async () => {
    const url = (await start(secrets.tlsBlock('elsewhere', 'node'))).replace('nats://', 'tls://');
    const caFile = secrets.file('elsewhere.crt');
    await expect(open(url, { caFile, ...certificate('node') })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('127.0.0.1'),
    });
  });

  it('by credentials: those of another account are refused, and the file that cannot be read is named', async () => {
    const url = await start(secrets.accountsBlock());
    await expect(open(url, {})).rejects.toMatchObject({ code: 'unavailable' });
    await expect(open(url, { credentialsFile: secrets.file('other.creds') })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/authorization/i),
    });
    await expect(open(url, { credentialsFile: secrets.file('missing.creds') })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('missing.creds'),
    });
    await open(url, { credentialsFile: secrets.file('node.creds') });
  });

  it('by a user and a password in the URL', async () => {
    const known = 'authorization { users: [ { user: "relata", password: "p@ss:word" } ] }';
    const url = await start(known);
    const as = (user: string) => url.replace('nats://', `nats://${user}@`);
    await expect(open(as('relata:wrong'), {})).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/refuse this node.*RELATA_CLUSTER_URL/),
    });
    await open(as('relata:p%40ss%3Aword'), {});
  });
});
