import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BodyFile, writeBodies } from '../http/body-file.ts';
import { casesOf, type HttpCase } from '../http/http-cases.ts';
import type { Peer } from '../http/peers/peer.ts';
import { peersOf } from '../http/peers/peers.ts';
import { inParallel, post } from '../http/post.ts';
import { type RunningServer, startEmptyServer, startService } from '../http/running-service.ts';
import { ORGANIZATION, prepareServiceData, type ServiceData } from '../http/service-data.ts';
import { hasWrk, type LoadResult, load } from '../http/wrk.ts';
import type { Line, Target } from '../report/line.ts';
import { scratchFolder } from '../store/data-folder.ts';
import { driveOf } from './drive-suite.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

const SECONDS = { warm: 6, measured: 5, rounds: 3 };
const SMOKE_SECONDS = { warm: 0, measured: 1, rounds: 1 };
/** Answers that are compared with what the generator knows, one by one, before a case is measured. */
const SAMPLE = 2_000;
const SAMPLED_AT_ONCE = 8;
/** At half of the load each connection rests so long on average. */
const MEAN_WAIT_MS = 5;

interface Site {
  readonly bench: Bench;
  readonly scratch: string;
  readonly data: ServiceData;
  readonly service: RunningServer;
  readonly empty: RunningServer;
  readonly peers: readonly Peer[];
}

interface FullLoad {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: BodyFile;
  readonly seconds: number;
  readonly requestsPerSecond: number;
}

/** The service with one acceptor, asked over HTTP by wrk, beside a server that only answers. */
export const httpSuite: Suite = {
  name: 'http',
  about: 'checks over HTTP with an API key, one acceptor, load from wrk',
  size: '1m',
  async run(bench) {
    if (!hasWrk()) return bench.note('wrk is not installed: nothing is measured over HTTP');
    const scratch = scratchFolder('http');
    try {
      const drive = driveOf(bench, 1_000_000);
      bench.note('relata import');
      const data = await prepareServiceData(scratch, drive);
      const peers = peersOf(process.env);
      for (const peer of peers) {
        bench.note(`${peer.name}: loading`);
        await peer.load(drive);
      }
      const [service, empty] = await Promise.all([startService(data.folder), startEmptyServer()]);
      try {
        const site = { bench, scratch, data, service, empty, peers };
        for (const [place, httpCase] of casesOf(data, bench.isSmoke).entries()) {
          const measured = await measure(site, httpCase);
          // One is enough to see that it works: wrk knows no time under a second.
          if (!bench.isSmoke || place === 0) await latencyLines(site, httpCase, measured);
        }
      } finally {
        await Promise.all([service.stop(), empty.stop()]);
      }
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

/** Answers what half of the load is half of. */
async function measure(site: Site, httpCase: HttpCase): Promise<FullLoad> {
  const { bench, scratch, data, service, empty } = site;
  const url = `${service.url}/t/${ORGANIZATION}/api/v1${httpCase.path}`;
  const headers = { authorization: `ApiKey ${data.adminApiKey}`, 'content-type': 'application/json' };
  const requests = httpCase.requests();
  await verify(url, headers, requests.bodies.slice(0, SAMPLE), requests.isRight);
  const bodies = writeBodies(join(scratch, 'bodies'), requests.bodies);
  const seconds = bench.isSmoke ? SMOKE_SECONDS : SECONDS;
  const { connections } = httpCase;
  const usual = { headers, bodies, connections, meanWaitMs: 0, seconds: seconds.measured };
  if (!bench.isSmoke) await load({ ...usual, url, seconds: seconds.warm, serverPid: service.pid });
  // In turns, so that what else the machine does falls on both.
  const leasts: LoadResult[] = [];
  const mosts: LoadResult[] = [];
  for (let round = 0; round < seconds.rounds; round++) {
    leasts.push(await load({ ...usual, url: `${empty.url}/`, serverPid: empty.pid }));
    mosts.push(await load({ ...usual, url, serverPid: service.pid }));
  }
  const least = middle(leasts);
  const most = middle(mosts);
  tellCpu(bench, `${httpCase.name}: empty handler`, least);
  tellCpu(bench, httpCase.name, most);
  const { perRequest } = httpCase;
  const peers = httpCase.asksPeers ? await askPeers(site, httpCase, connections) : {};
  const { target: ratioTarget } = httpCase;
  bench.line({
    name: httpCase.name,
    value: most.requestsPerSecond * perRequest,
    unit: perRequest === 1 ? 'requests/s' : 'checks/s',
    baseline: { name: 'empty handler', value: least.requestsPerSecond * perRequest },
    ...targeted(unlessSmoke(bench, ratioTarget)),
    ...voided(bench, ...mosts, ...leasts),
    ...(Object.keys(peers).length === 0 ? {} : { peers }),
    detail: {
      wrkCores: most.generatorCores,
      serverCores: most.serverCores,
      emptyWrkCores: least.generatorCores,
      emptyServerCores: least.serverCores,
      p50Micros: most.p50,
      p99Micros: most.p99,
      questions: requests.bodies.length * perRequest,
    },
  });
  return { ...usual, url, requestsPerSecond: most.requestsPerSecond };
}

/**
 * wrk sends as fast as it is answered. For a lower rate its connections rest, each for a random time of whole
 * milliseconds; so many connections are opened that they come to the rate together.
 */
async function latencyLines(
  { bench, service, empty }: Site,
  httpCase: HttpCase,
  { requestsPerSecond, ...usual }: FullLoad,
): Promise<void> {
  const wantedPerSecond = requestsPerSecond / 2;
  const connections = Math.max(1, Math.round((wantedPerSecond * MEAN_WAIT_MS) / 1000));
  const rested = { ...usual, connections, meanWaitMs: MEAN_WAIT_MS };
  const least = await load({ ...rested, url: `${empty.url}/`, serverPid: empty.pid });
  const half = await load({ ...rested, serverPid: service.pid });
  tellCpu(bench, `${httpCase.name} at half load`, half);
  const detail = { perSecond: half.requestsPerSecond, wantedPerSecond, connections, wrkCores: half.generatorCores };
  for (const [name, key] of [
    ['p50', 'p50'],
    ['p99', 'p99'],
    ['p99.9', 'p999'],
  ] as const) {
    bench.line({
      name: `${httpCase.name} at half load, ${name}`,
      value: half[key] / 1000,
      unit: 'ms',
      baseline: { name: 'empty handler', value: Math.max(least[key], 1) / 1000 },
      ...voided(bench, half, least),
      detail,
    });
  }
}

async function askPeers(site: Site, httpCase: HttpCase, connections: number): Promise<Record<string, number>> {
  const { bench, scratch, peers } = site;
  const answers: Record<string, number> = {};
  for (const peer of peers) {
    const questions = httpCase.questions();
    const url = peer.checkUrl();
    const bodies = questions.requests.map((request) => peer.checkBody(request));
    await verify(
      url,
      peer.headers,
      bodies.slice(0, SAMPLE),
      (reply, place) => peer.isAllowed(reply) === (questions.expected[place] === 1),
    );
    const file = writeBodies(join(scratch, `bodies-${peer.name}`), bodies);
    const headers = { ...peer.headers, 'content-type': 'application/json' };
    const usual = { url, headers, bodies: file, connections, meanWaitMs: 0, serverPid: undefined };
    const seconds = bench.isSmoke ? SMOKE_SECONDS : SECONDS;
    if (!bench.isSmoke) await load({ ...usual, seconds: seconds.warm });
    const result = await load({ ...usual, seconds: seconds.measured });
    tellCpu(bench, `${httpCase.name}: ${peer.name}`, result);
    answers[peer.name] = result.requestsPerSecond;
  }
  return answers;
}

async function verify(
  url: string,
  headers: Readonly<Record<string, string>>,
  bodies: readonly string[],
  isRight: (reply: unknown, place: number) => boolean,
): Promise<void> {
  await inParallel(bodies.entries(), SAMPLED_AT_ONCE, async ([place, body]) => {
    const reply = await post(url, headers, body);
    if (!isRight(reply, place))
      throw new Error(`${url} answered ${JSON.stringify(reply).slice(0, 300)} to ${body.slice(0, 300)}`);
  });
}

/** The one with the median rate. */
function middle(results: readonly LoadResult[]): LoadResult {
  const sorted = results.toSorted((one, other) => one.requestsPerSecond - other.requestsPerSecond);
  return sorted[sorted.length >> 1] as LoadResult;
}

function tellCpu(bench: Bench, name: string, { generatorCores, serverCores, requestsPerSecond }: LoadResult): void {
  const shown = (cores: number): string => (Number.isNaN(cores) ? 'an unknown share' : `${Math.round(cores * 100)} %`);
  bench.note(
    `${name}: ${Math.round(requestsPerSecond).toLocaleString('en-US')} requests/s; wrk used ${shown(generatorCores)} of a core, the server ${shown(serverCores)}`,
  );
}

function voided(bench: Bench, ...results: readonly LoadResult[]): Pick<Line, 'isVoid'> {
  const reason = bench.isSmoke ? undefined : results.find(({ isVoid }) => isVoid !== undefined)?.isVoid;
  return reason === undefined ? {} : { isVoid: reason };
}

function targeted(target: Target | undefined): Pick<Line, 'target'> {
  return target === undefined ? {} : { target };
}
