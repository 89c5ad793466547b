import type { Example, Examples, World } from '../example.ts';

const url = 'https://receiver.invalid/hook';
const body = { url, events: ['user.created'] };

type Make = (world: World) => Promise<Example>;

/** Of webhooks below a path. */
function webhookExamples(path: '/admin/webhooks' | '/webhooks'): Examples {
  const webhook = async (world: World): Promise<Record<'webhookId', string>> => {
    const { id } = await world.make('POST', path, body);
    return { webhookId: String(id) };
  };
  const plain: Make = async (world) => ({ params: await webhook(world) });
  const having =
    (sent: unknown): Make =>
    async (world) => ({ params: await webhook(world), body: sent });
  const delivery: Make = async (world) => {
    const { webhookId } = await webhook(world);
    const { id } = await world.make('POST', `${path}/${webhookId}/test`);
    return { params: { webhookId, deliveryId: String(id) } };
  };
  const replay: Make = async (world) => {
    const { webhookId } = await webhook(world);
    const { id } = await world.make('POST', `${path}/${webhookId}/replay`, { since: '2020-01-01T00:00:00Z' });
    return { params: { webhookId, replayId: String(id) } };
  };
  const one = `${path}/{webhookId}`;
  return {
    [`GET ${path}`]: () => ({ query: '?limit=2&search=a' }),
    [`POST ${path}`]: () => ({ body }),
    [`GET ${one}`]: plain,
    [`PUT ${one}`]: having({ ...body, description: 'Changed' }),
    [`PATCH ${one}`]: having({ payload: 'thin' }),
    [`DELETE ${one}`]: plain,
    [`POST ${one}/enable`]: async (world) => {
      const params = await webhook(world);
      await world.make('POST', `${path}/${params.webhookId}/disable`);
      return { params };
    },
    [`POST ${one}/disable`]: plain,
    [`POST ${one}/rotate-secret`]: having({ expireOldAfterSeconds: 60 }),
    [`POST ${one}/test`]: plain,
    [`GET ${one}/deliveries`]: plain,
    [`GET ${one}/deliveries/{deliveryId}`]: delivery,
    [`POST ${one}/deliveries/{deliveryId}/redeliver`]: delivery,
    [`POST ${one}/replay`]: having({ since: '2020-01-01T00:00:00Z' }),
    [`GET ${one}/replays/{replayId}`]: replay,
  };
}

export const webhookExampleTable: Examples = { ...webhookExamples('/admin/webhooks'), ...webhookExamples('/webhooks') };
