import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from './dispatch-world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld(5000);
});
afterAll(() => world.stop());

it.each([
  ['deleted', 'DELETE', '', undefined],
  ['disabled', 'POST', '/disable', undefined],
  ['moved', 'PATCH', '', (url: string) => ({ url, payload: 'thin' })],
] as const)('a webhook that is %s while its token is asked for gets nothing', async (name, method, path, body) => {
  const { service, receiver, newDispatcher, webhook, happen, settle } = world;
  const one = await service.organization(`prepared-${name}`);
  const id = await webhook(one, `/${name}`);
  const asked = new Promise<() => void>((resolve) => {
    receiver.behaviours.set(`/${name}-token`, (_, answer) => {
      resolve(() => answer.end(JSON.stringify({ access_token: 'a-token', token_type: 'Bearer' })));
    });
  });
  const at = (rest: string) => `/t/${one.organization.slug}/api/v1/admin/webhooks/${id}${rest}`;
  const authentication = {
    type: 'oauth',
    tokenUrl: receiver.url(`/${name}-token`),
    clientId: 'me',
    clientSecret: 'secret',
  };
  expect((await service.call('PATCH', at(''), { key: one.key, body: { authentication } })).status).toBe(200);
  const dispatcher = newDispatcher();
  await dispatcher.follow();
  await happen(one, 1);
  await dispatcher.follow();
  const answerToken = await asked;
  const changed = await service.call(method, at(path), {
    key: one.key,
    ...(body === undefined ? {} : { body: body(receiver.url(`/${name}`)) }),
  });
  expect(changed.status).toBeLessThan(300);
  const before = receiver.at(`/${name}`).length;
  answerToken();
  await dispatcher.idle();
  expect(receiver.at(`/${name}`).length).toBe(before);
  // the event is not lost to one that is only another now
  await settle(dispatcher);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await settle(dispatcher);
  expect(receiver.at(`/${name}`).length).toBe(name === 'moved' ? 1 : 0);
  await dispatcher.stop();
});
