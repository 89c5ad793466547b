import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../measure/percentile.ts';
import { atMost } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { inParallel } from '../post.ts';
import { type AgentsSite, type LentTask, permissions } from './agents-site.ts';

/** Agents, tasks of each, seconds that each is lent for, and tokens that are watched. */
const AMOUNTS = { agents: 10, tasks: 1_000, seconds: 300, watched: 200 };
const FEW = { agents: 2, tasks: 10, seconds: 6, watched: 4 };
const AT_ONCE = 32;
const POLL_MS = 20;
/** The sweep looks every ten seconds. */
const SWEPT_MAX_MS = 120_000;
const ENDED_MAX_MS = 1_000;

/** Many elevations that are active at once: how long after its time one still counts, and when all are swept. */
export async function endLines(site: AgentsSite): Promise<void> {
  const { bench } = site;
  const { agents, tasks, seconds, watched } = bench.isSmoke ? FEW : AMOUNTS;
  bench.note(`${agents * tasks} elevations`);
  const before = await lentTuples(site);
  const lent: LentTask[] = [];
  for (let number = 1; number <= agents; number++) {
    const agent = await site.agent(number);
    await inParallel(Array.from({ length: tasks }), AT_ONCE, async () => {
      lent.push(await site.task(agent, seconds));
    });
  }
  const every = Math.max(1, Math.floor(lent.length / watched));
  const samples = await Promise.all(
    lent
      .filter((_, place) => place % every === 0)
      .map(async (task) => ({ token: await site.elevatedToken(task), endsAt: task.endsAt })),
  );
  const active = (await lentTuples(site)) - before;
  if (active !== lent.length) throw new Error(`${active} of ${lent.length} elevations are active at once`);
  const delays = await Promise.all(samples.map((sample) => refusedAfter(site, sample)));
  const latest = Math.max(...lent.map(({ endsAt }) => endsAt));
  const target = unlessSmoke(bench, atMost(ENDED_MAX_MS));
  bench.line({
    name: 'agents elevations, from their time to the refusal, highest',
    value: Math.max(1, ...delays),
    unit: 'ms',
    detail: { elevations: lent.length, watched: samples.length, medianMillis: median(delays) },
    ...(target === undefined ? {} : { target }),
  });
  const sweptAt = await swept(site, before, latest);
  bench.line({
    name: 'agents elevations, from the last one’s time until all are deleted',
    value: Math.max(1, sweptAt - latest),
    unit: 'ms',
    detail: { elevations: lent.length },
  });
}

/** How long after its time a token was still accepted: asked without a pause from a little before. */
async function refusedAfter(
  site: AgentsSite,
  { token, endsAt }: { readonly token: string; readonly endsAt: number },
): Promise<number> {
  await sleep(Math.max(0, endsAt - Date.now() - 10 * POLL_MS));
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = JSON.stringify({ permission: permissions.lent });
  for (let accepted = endsAt; ; ) {
    const askedAt = Date.now();
    const reply = await fetch(`${site.api}/authz/check`, { method: 'POST', headers, body });
    const { allowed } = (await reply.json()) as { readonly allowed?: boolean };
    if (reply.status === 401) return accepted - endsAt;
    if (reply.status !== 200) throw new Error(`a check answered ${reply.status}`);
    if (allowed === true) accepted = Math.max(accepted, askedAt);
    if (askedAt > endsAt + 10 * ENDED_MAX_MS) throw new Error('a token is accepted long after its time');
    await sleep(POLL_MS);
  }
}

async function swept(site: AgentsSite, before: number, latest: number): Promise<number> {
  while ((await lentTuples(site)) > before) {
    if (Date.now() > latest + SWEPT_MAX_MS) throw new Error('what was lent is not deleted');
    await sleep(10 * POLL_MS);
  }
  return Date.now();
}

/** Tuples of elevations that stand in the store, over or not. */
async function lentTuples(site: AgentsSite): Promise<number> {
  let count = 0;
  for (let cursor = ''; ; ) {
    const query = `object=permission:${permissions.lent}&relation=granted&limit=1000${cursor}`;
    const page = (await site.get(`/zanzibar/tuples?${query}`)) as {
      readonly tuples: readonly { readonly subject: string }[];
      readonly cursor?: string;
    };
    count += page.tuples.filter(({ subject }) => subject.startsWith('elevation:')).length;
    if (page.cursor === undefined) return count;
    cursor = `&cursor=${encodeURIComponent(page.cursor)}`;
  }
}
