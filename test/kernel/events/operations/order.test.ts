import { afterAll, beforeAll, expect, it } from 'vitest';
import { InProcessService } from '../../../identity/sessions/in-process-service.ts';

let service: InProcessService;

beforeAll(async () => {
  service = await InProcessService.start({ RELATA_ALLOW_PRIVATE_URLS: '1' });
});
afterAll(() => service.stop());

it('32 who write at once are told in the order of their commits, each organization by itself', async () => {
  const org = await service.organization('writing');
  const neighbour = await service.organization('beside');
  const before = { org: org.lastEvent(), neighbour: neighbour.lastEvent(), revision: service.revision() };
  const all = Array.from({ length: 32 }, (_, n) =>
    [org, neighbour].map((each) => each.newUser(`many${n}@example.com`)),
  );
  await Promise.all(all.flat());
  for (const each of [org, neighbour]) {
    const { store } = each.organization;
    const { changes } = service.read(() => store.changes(before.revision, 1000));
    const numbers = changes.flatMap(({ records }) =>
      records.flatMap(({ collection, id }) => (collection === 'events' ? [Number(id)] : [])),
    );
    const first = each === org ? before.org : before.neighbour;
    expect(numbers).toEqual(Array.from({ length: 32 }, (_, n) => first + n + 1));
    const users = changes.flatMap(({ records }) =>
      records.flatMap(({ collection, id }) => (collection === 'users' ? [id] : [])),
    );
    expect(each.eventsAfter(first).map(({ data }) => data.userId)).toEqual(users);
  }
});
