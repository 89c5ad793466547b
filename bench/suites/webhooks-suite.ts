import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeBodies } from '../http/load/body-file.ts';
import { hasWrk, type LoadResult, load } from '../http/load/wrk.ts';
import { type RunningServer, startService } from '../http/server/running-service.ts';
import { ORGANIZATION, prepareServiceData, type ServiceData } from '../http/server/service-data.ts';
import { BenchReceiver } from '../http/webhooks/receiver.ts';
import { median } from '../measure/percentile.ts';
import { atLeast, atMost } from '../report/line.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { driveOf } from './drive-suite.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

/** Of the documents that are asked about meanwhile. */
const TUPLES = 100_000;
const AMOUNTS = { webhooks: 1_000, events: 5, burst: 20, seconds: 3, rounds: 5, questions: 100_000 };
const FEW = { webhooks: 8, events: 2, burst: 3, seconds: 1, rounds: 1, questions: 500 };
const CONNECTIONS = 16;
const limits = {
  RELATA_ALLOW_PRIVATE_URLS: '1',
  RELATA_LIMIT_RATE_ORDINARY: '0',
  RELATA_LIMIT_RATE_EXPENSIVE: '0',
  RELATA_LIMIT_RATE_DECISIONS: '0',
};

interface Site {
  readonly bench: Bench;
  readonly data: ServiceData;
  readonly service: RunningServer;
  readonly receiver: BenchReceiver;
  readonly scratch: string;
  readonly amounts: typeof AMOUNTS;
}

/** Webhooks: how long events take to many of them, how many arrive in a second, and what checks lose by it. */
export const webhooksSuite: Suite = {
  name: 'webhooks',
  about: '1,000 webhooks, one of which hangs: delay, deliveries a second, checks meanwhile',
  async run(bench) {
    if (!hasWrk()) return bench.note('wrk is not installed: checks meanwhile cannot be measured');
    const scratch = scratchFolder('webhooks');
    const data = await prepareServiceData(scratch, driveOf(bench, TUPLES));
    const [service, receiver] = await Promise.all([startService(data.folder, limits), BenchReceiver.start()]);
    try {
      const amounts = bench.isSmoke ? FEW : AMOUNTS;
      await measureAll({ bench, data, service, receiver, scratch, amounts });
    } finally {
      await service.stop();
      await receiver.stop();
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

async function measureAll(site: Site): Promise<void> {
  const { bench, receiver, amounts } = site;
  bench.note(`${amounts.webhooks} webhooks`);
  for (let number = 0; number < amounts.webhooks; number++) {
    const url = receiver.url(number === 0 ? '/hangs' : `/${number}`);
    await post(site, '/admin/webhooks', { url, events: ['user.created'] });
  }
  const others = amounts.webhooks - 1;
  await createUser(site);
  await receiver.arrived(others);
  receiver.clear();
  for (let event = 1; event <= amounts.events; event++) {
    await createUser(site);
    await receiver.arrived(event * others);
  }
  const target = { delay: unlessSmoke(bench, atMost(1000)), rate: unlessSmoke(bench, atLeast(5000)) };
  bench.line({
    name: 'webhooks, from the event to its arrival, median',
    value: median(receiver.delays),
    unit: 'ms',
    ...(target.delay && { target: target.delay }),
  });
  receiver.clear();
  for (let event = 0; event < amounts.burst; event++) await createUser(site);
  await receiver.arrived(amounts.burst * others);
  bench.line({
    name: 'webhooks, deliveries',
    value: receiver.delays.length / ((receiver.lastAt - receiver.firstAt) / 1000),
    unit: '1/s',
    ...(target.rate && { target: target.rate }),
  });
  await checksLines(site, checksOf(site));
}

/** What checks reach while events are delivered all the time, in turns with what they reach without. */
async function checksLines(site: Site, checks: Checks): Promise<void> {
  const { bench, amounts } = site;
  const most = await checks(0);
  const cases = [
    { name: 'webhooks, half of the checks that are possible, meanwhile', rate: Math.round(most.requestsPerSecond / 2) },
    { name: 'webhooks, as many checks as possible, meanwhile', rate: 0 },
  ];
  for (const { name, rate } of cases) {
    const without: LoadResult[] = [];
    const seen: LoadResult[] = [];
    let delivered = 0;
    for (let round = 0; round < amounts.rounds; round++) {
      without.push(await checks(rate));
      const meanwhile = await whileDelivering(site, async () => {
        await checks(rate); // deliveries find their pace
        return checks(rate);
      });
      seen.push(meanwhile.seen);
      delivered += meanwhile.delivered;
    }
    const medianOf = (rounds: readonly LoadResult[], figure: 'requestsPerSecond' | 'p99') =>
      median(rounds.map((round) => round[figure]));
    const target = unlessSmoke(bench, atLeast(0.9, 'ratio'));
    bench.line({
      name,
      value: medianOf(seen, 'requestsPerSecond'),
      unit: '1/s',
      baseline: { name: 'without deliveries', value: medianOf(without, 'requestsPerSecond') },
      detail: { delivered, p99: medianOf(seen, 'p99'), p99Without: medianOf(without, 'p99') },
      ...(target && { target }),
    });
  }
}

/** Measures while users are created and their events delivered. What waits then is delivered before it returns. */
async function whileDelivering(
  site: Site,
  measure: () => Promise<LoadResult>,
): Promise<{ seen: LoadResult; delivered: number }> {
  const { receiver, amounts } = site;
  receiver.clear();
  let isDone = false;
  const others = amounts.webhooks - 1;
  // one event is on its way to all, and the next one waits
  await createUser(site);
  let events = 1;
  const next = async () => {
    await createUser(site);
    await receiver.arrived(events++ * others);
  };
  await next();
  const measuring = measure().finally(() => {
    isDone = true;
  });
  while (!isDone) await next();
  const seen = await measuring;
  const delivered = receiver.delays.length;
  await receiver.arrived(events * others);
  return { seen, delivered };
}

/** Checks at a rate; 0 for as many as are answered. */
type Checks = (rate: number) => Promise<LoadResult>;

function checksOf({ data, service, scratch, amounts }: Site): Checks {
  const { requests } = data.drive.nested(amounts.questions);
  const bodies = writeBodies(
    join(scratch, 'checks'),
    requests.map(({ object, relation, subject }) => JSON.stringify({ object, relation, subject })),
  );
  return (rate) =>
    load({
      url: `${service.url}/t/${ORGANIZATION}/api/v1/zanzibar/check`,
      headers: { authorization: `ApiKey ${data.adminApiKey}`, 'content-type': 'application/json' },
      bodies,
      connections: CONNECTIONS,
      rate,
      seconds: amounts.seconds,
      serverPid: undefined,
    });
}

let users = 0;

async function createUser(site: Site): Promise<void> {
  await post(site, '/admin/users', { email: `bench-${++users}@example.test` });
}

async function post({ service, data }: Site, path: string, body: object): Promise<void> {
  const answer = await fetch(`${service.url}/t/${ORGANIZATION}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${data.adminApiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}
