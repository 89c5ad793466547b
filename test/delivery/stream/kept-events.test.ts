import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventLog } from '../../../src/delivery/stream/index.ts';
import { eventRecords } from '../../../src/kernel/events/index.ts';
import { type InProcessOrganization, InProcessService } from '../../identity/sessions/in-process-service.ts';

const KEPT = 12_000;
const RARE = 'user.deleted';

interface Page {
  readonly events: readonly { readonly id: string; readonly cursor: string }[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

let service: InProcessService;
let count = 0;
beforeAll(async () => {
  service = await InProcessService.start({ RELATA_LIMIT_EVENTS_PER_ORGANIZATION: String(KEPT) });
});
afterAll(() => service.stop());

/** Events of one type, many in one commit. Answers the id of the last. */
async function happen({ organization: { store } }: InProcessOrganization, type: string, number = 1): Promise<string> {
  const changes = Array.from({ length: number }, () =>
    eventRecords.append(store, { id: `event-${++count}`, type, createdAt: service.clock.now(), data: {} }),
  );
  await service.submit(changes);
  return `event-${count}`;
}

const ask = ({ organization: { slug }, key }: InProcessOrganization, query: string) =>
  service.call('GET', `/t/${slug}/api/v1/admin/events${query}`, { key });

async function page(of: InProcessOrganization, query: string): Promise<Page> {
  const answer = await ask(of, query);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.at('data') as Page;
}

const idsOf = ({ events }: Page) => events.map(({ id }) => id);

describe('a page of events with a filter', () => {
  it('is filled from as many events as it needs, up to a bound', async () => {
    const org = await service.organization('sparse');
    const rare = [await happen(org, RARE)];
    for (let n = 0; n < 2; n++) {
      await happen(org, 'role.created', 1_700);
      rare.push(await happen(org, RARE));
    }
    const first = await page(org, `?types=${RARE}&limit=2`);
    expect([idsOf(first), first.hasMore]).toEqual([rare.slice(0, 2), true]);
    const second = await page(org, `?types=${RARE}&limit=2&after=${first.cursor}`);
    expect([idsOf(second), second.hasMore]).toEqual([rare.slice(2), false]);
    expect(idsOf(await page(org, `?types=${RARE}`))).toEqual(rare);
  });

  it('may be empty while more follow, and says where to go on', async () => {
    const org = await service.organization('sparser');
    await happen(org, 'role.created', 10_900);
    const last = await happen(org, RARE);
    const first = await page(org, `?types=${RARE}`);
    expect([first.events, first.hasMore]).toEqual([[], true]);
    const second = await page(org, `?types=${RARE}&after=${first.cursor}`);
    expect([idsOf(second), second.hasMore]).toEqual([[last], false]);
  });

  it('after `latest` has nothing, and its cursor is before all that follows', async () => {
    const org = await service.organization('latest');
    const empty = await page(org, '?after=latest');
    expect(empty).toMatchObject({ events: [], hasMore: false });
    const first = await happen(org, RARE);
    expect(idsOf(await page(org, `?after=${empty.cursor}`))).toEqual([first]);
    const { cursor } = await page(org, '?after=latest');
    const second = await happen(org, RARE);
    expect(idsOf(await page(org, `?after=${cursor}`))).toEqual([second]);
  });
});

describe('events that are no longer kept', () => {
  it('are answered with 410 and the cursor of the oldest, as a page and as a stream', async () => {
    const org = await service.organization('old');
    await happen(org, 'role.created', 10);
    const before = await page(org, '?limit=1');
    await happen(org, 'role.created', KEPT);
    await service.runJob('events');
    const query = `?limit=1&after=${before.cursor}`;
    const answer = await ask(org, query);
    expect(answer).toMatchObject({ status: 410, body: { code: 'revision_compacted', oldest: expect.any(String) } });
    const stream = await service.call('GET', `/t/old/api/v1/admin/events${query}`, {
      key: org.key,
      headers: { accept: 'text/event-stream' },
    });
    expect(stream).toMatchObject({ status: 410, body: { oldest: answer.text('oldest') } });
    const oldest = await page(org, `?limit=1&after=${answer.text('oldest')}`);
    expect(oldest).toEqual(await page(org, '?limit=1'));
    expect(idsOf(oldest)).toHaveLength(1);
  });
});

describe('a stream that passes over many events', () => {
  it('lets other requests of its thread have their turns', async () => {
    const org = await service.organization('scanned');
    await happen(org, RARE);
    const { cursor } = await page(org, '');
    await happen(org, 'role.created', 8_000);
    const last = await happen(org, RARE);
    let [turns, isDone] = [0, false];
    const turn = (): void => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    const read = EventLog.prototype.page;
    const seen: number[] = [];
    const spy = vi.spyOn(EventLog.prototype, 'page').mockImplementation(function (this: EventLog, ...given) {
      seen.push(turns);
      return read.apply(this, given);
    });
    const stop = new AbortController();
    try {
      turn();
      const response = await fetch(`${service.url}/t/scanned/api/v1/admin/events?types=${RARE}&after=${cursor}`, {
        headers: { authorization: `Bearer ${org.key}`, accept: 'text/event-stream' },
        signal: stop.signal,
      });
      let text = '';
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      while (!text.includes(last)) text += (await reader?.read())?.value;
    } finally {
      isDone = true;
      spy.mockRestore();
      stop.abort();
    }
    expect(seen.length).toBeGreaterThan(15);
    expect(new Set(seen.slice(1)).size).toBe(seen.length - 1);
  });
});
