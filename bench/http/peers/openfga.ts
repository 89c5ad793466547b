import { transformer } from '@openfga/syntax-transformer';
import type { DataSet } from '../../data/data-set.ts';
import { inParallel, post } from '../post.ts';
import { blocksOf, type Peer } from './peer.ts';

/** The most that OpenFGA takes in one write by default. */
const TUPLES_PER_WRITE = 100;
const WRITES_AT_ONCE = 16;

/**
 * A client of an OpenFGA server's HTTP interface (https://openfga.dev/api/service): a new store, its model and tuples,
 * then checks. `token` is a preshared key, where the server wants one.
 */
export function openFga(url: string, token: string | undefined): Peer {
  const base = url.replace(/\/$/, '');
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  let store = '';
  let model = '';
  const send = (path: string, body: unknown): Promise<unknown> => post(`${base}${path}`, headers, JSON.stringify(body));
  return {
    name: 'openfga',
    headers,
    async load(data) {
      ({ id: store } = (await send('/stores', { name: `relata-bench-${data.name}` })) as { id: string });
      const written = await send(`/stores/${store}/authorization-models`, modelOf(data));
      ({ authorization_model_id: model } = written as { authorization_model_id: string });
      await inParallel(blocksOf(data, TUPLES_PER_WRITE), WRITES_AT_ONCE, async (block) => {
        const keys = block.map(({ object, relation, subject }) => ({ user: subject, relation, object }));
        await send(`/stores/${store}/write`, { writes: { tuple_keys: keys }, authorization_model_id: model });
      });
    },
    checkUrl: () => `${base}/stores/${store}/check`,
    checkBody: ({ object, relation, subject }) =>
      JSON.stringify({ tuple_key: { user: subject, relation, object }, authorization_model_id: model }),
    isAllowed: (reply) => (reply as { allowed?: boolean }).allowed === true,
  };
}

function modelOf(data: DataSet): unknown {
  return transformer.transformDSLToJSONObject(data.dsl);
}
