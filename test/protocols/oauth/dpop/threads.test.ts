import { afterAll, beforeAll, expect, test } from 'vitest';
import { Provider, type TestClient } from '../world.ts';
import { ProofMaker } from './proofs.ts';

let provider: Provider;
let client: TestClient;
let maker: ProofMaker;

beforeAll(async () => {
  provider = await Provider.start('proofthreads', { RELATA_THREADS: '3' });
  client = await provider.client({ scopes: ['a'] });
  maker = await ProofMaker.make(() => Date.now());
});
afterAll(() => provider.stop());

/** Requests that come at once, over as many connections as the runtime opens: whichever threads have them. */
const AT_ONCE = 40;

async function token(proof: string): Promise<{ readonly status: number; readonly token: string }> {
  const fields = { grant_type: 'client_credentials', client_id: client.id, client_secret: client.secret };
  const answer = await provider.form('/oauth/token', fields, { dpop: proof });
  return { status: answer.status, token: answer.status === 200 ? answer.text('access_token') : '' };
}

test('a proof is good once, whichever thread it comes to', async () => {
  const endpoint = `${provider.api}/oauth/token`;
  for (let round = 0; round < 5; round++) {
    const proof = await maker.proof('POST', endpoint);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => token(proof)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  }
});

test('and so at resources', async () => {
  const { token: bound } = await token(await maker.proof('POST', `${provider.api}/oauth/token`));
  const url = `${provider.api}/authz/permissions`;
  for (let round = 0; round < 5; round++) {
    const dpop = await maker.proof('GET', url, bound);
    const headers = { authorization: `DPoP ${bound}`, dpop };
    const statuses = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => (await fetch(url, { headers })).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(AT_ONCE - 1);
  }
});
