import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgentScene, type MadeAgent } from '../../../directory/agents/scene.ts';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';
import type { Answer } from '../../../server/running-service.ts';
import { KeyHost } from '../clients/key-host.ts';
import { assertionType, expectInvalidClient } from '../clients/scene.ts';

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

const workload = {
  issuer: 'https://cluster.example',
  subject: 'system:serviceaccount:jobs:reader',
  audience: 'relata',
};

let service: InProcessService;
let scene: AgentScene;
let privateKey: PrivateKey;
let publicJwk: Record<string, unknown>;
let audience: string;
let host: KeyHost;
let count = 0;
let jti = 0;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_ALLOW_PRIVATE_URLS: 'true', RELATA_LIMIT_RATE_REFUSED: '0' });
  const pair = await generateKeyPair('ES256', { extractable: true });
  privateKey = pair.privateKey;
  publicJwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
});
beforeEach(async () => {
  scene = await AgentScene.at(service, `agent-assertions${++count}`);
  const metadata = await service.call('GET', `/orgs/${scene.slug}/.well-known/openid-configuration`);
  audience = metadata.text('issuer');
  host = await KeyHost.open([publicJwk]);
});
afterEach(() => host.close());
afterAll(() => service.stop());

const seconds = () => Math.floor(service.clock.now() / 1000);
const sign = (payload: JWTPayload, key: PrivateKey = privateKey) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(key);
const own = ({ id }: MadeAgent, changes: JWTPayload = {}): JWTPayload => {
  const now = seconds();
  return { iss: id, sub: id, aud: audience, exp: now + 60, iat: now, jti: `agent-${++jti}`, ...changes };
};
const foreign = (changes: JWTPayload = {}): JWTPayload => {
  const { issuer: iss, subject: sub, audience: aud } = workload;
  return { iss, sub, aud, iat: seconds(), exp: seconds() + 3600, ...changes };
};
const send = (assertion: string, more: Record<string, string> = {}): Promise<Answer> =>
  scene.tokenForm({ client_assertion: assertion, client_assertion_type: assertionType, ...more });

describe('an assertion that an agent has made', () => {
  test('gets it a token by registered keys, and by those at its address; its key goes on beside', async () => {
    for (const keys of [{ jwks: { keys: [publicJwk] } }, { jwksUri: host.url }]) {
      const agent = await scene.make({ permissions: ['users.read'], ...keys });
      const answer = await send(await sign(own(agent)));
      expect(answer).toMatchObject({ status: 200, body: { scope: 'users.read' } });
      expect(await scene.status(answer.text('access_token'))).toBe(200);
      expect(await scene.status(await scene.token(agent))).toBe(200);
    }
    expect(host.asked).toBe(1);
  });

  test('is spent by its use: of ten at once one is accepted', async () => {
    const agent = await scene.make({ jwks: { keys: [publicJwk] } });
    const assertion = await sign(own(agent));
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(assertion)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expectInvalidClient(await send(assertion));
  });

  test('is refused with any fault', async () => {
    const agent = await scene.make({ jwks: { keys: [publicJwk] } });
    const other = await scene.make();
    const stranger = await generateKeyPair('ES256', { extractable: true });
    const faults: Readonly<Record<string, string>> = {
      'another key': await sign(own(agent), stranger.privateKey),
      'another audience': await sign(own(agent, { aud: 'https://other.example' })),
      'the issuer of another organization': await sign(own(agent, { aud: `${audience}x` })),
      expired: await sign(own(agent, { exp: seconds() - 31 })),
      'an agent without keys': await sign(own(other)),
      'another agent as its subject': await sign(own(agent, { sub: other.id })),
    };
    for (const [name, assertion] of Object.entries(faults)) {
      const { status, body } = await send(assertion);
      expect({ name, status, body }).toMatchObject({ name, status: 401, body: { error: 'invalid_client' } });
    }
    expectInvalidClient(await send(await sign(own(agent)), { client_id: other.id }));
  });

  test('opens nothing once the agent is switched off, has other keys, or is of another organization', async () => {
    const agent = await scene.make({ jwks: { keys: [publicJwk] } });
    const elsewhere = await AgentScene.at(service, `agent-assertions-other${count}`);
    const form = { client_assertion: await sign(own(agent)), client_assertion_type: assertionType };
    expectInvalidClient(await elsewhere.tokenForm(form));
    await scene.admin('PUT', `/agents/${agent.id}`, { isActive: false });
    expectInvalidClient(await send(await sign(own(agent))));
    await scene.admin('PUT', `/agents/${agent.id}`, { isActive: true });
    expect((await send(await sign(own(agent)))).status).toBe(200);
    await scene.admin('PUT', `/agents/${agent.id}`, { jwks: null });
    expectInvalidClient(await send(await sign(own(agent))));
    await scene.admin('PUT', `/agents/${agent.id}`, { jwksUri: host.url });
    host.meanwhile = () => scene.admin('PUT', `/agents/${agent.id}`, { jwksUri: null });
    expectInvalidClient(await send(await sign(own(agent))));
  });
});

describe('an assertion of the platform where the agent runs', () => {
  const credentials = () => ({ federatedCredentials: [{ ...workload, jwksUri: host.url }] });

  test('gets it tokens until it expires, by its client_id', async () => {
    const agent = await scene.make({ permissions: ['users.read'], ...credentials() });
    const assertion = await sign(foreign());
    for (let time = 0; time < 2; time++) {
      expect(await send(assertion, { client_id: agent.id })).toMatchObject({
        status: 200,
        body: { scope: 'users.read' },
      });
    }
    expectInvalidClient(await send(assertion));
    expectInvalidClient(await send(assertion, { client_id: (await scene.make()).id }));
    service.clock.advance(3_700_000);
    expectInvalidClient(await send(assertion, { client_id: agent.id }));
  });

  test('of another workload, issuer or audience opens nothing, nor does one whose trust was taken away', async () => {
    const agent = await scene.make(credentials());
    for (const changes of [
      { sub: 'other' },
      { iss: 'https://other.example' },
      { aud: 'other' },
      { aud: ['relata', 'b'] },
    ]) {
      expectInvalidClient(await send(await sign(foreign(changes)), { client_id: agent.id }));
    }
    const assertion = await sign(foreign());
    expect((await send(assertion, { client_id: agent.id })).status).toBe(200);
    await scene.admin('PUT', `/agents/${agent.id}`, { federatedCredentials: [] });
    expectInvalidClient(await send(assertion, { client_id: agent.id }));
  });

  test('is accepted from where the agent is admitted alone', async () => {
    const agent = await scene.make({ allowedIps: ['192.0.2.0/24'], ...credentials() });
    expect((await send(await sign(foreign()), { client_id: agent.id })).status).toBe(403);
  });
});
