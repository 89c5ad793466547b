import { join } from 'node:path';
import { unlessSmoke } from '../../suites/suite.ts';
import type { HttpCase } from '../http-cases.ts';
import { writeBodies } from '../load/body-file.ts';
import { type LoadResult, load } from '../load/wrk.ts';
import { ORGANIZATION } from '../server/service-data.ts';
import { verifyAnswers } from '../verify-answers.ts';
import { askPeers } from './ask-peers.ts';
import { type CaseLoad, leastLoad, microsPerRequest, middle, type Site, tellCpu, timesOf, voided } from './site.ts';

export interface FullLoad {
  readonly caseLoad: CaseLoad;
  readonly requestsPerSecond: number;
}

/** As many requests as are answered, beside the server that only answers. */
export async function fullLoadLine(site: Site, httpCase: HttpCase): Promise<FullLoad> {
  const { bench, service, empty } = site;
  const { perRequest, name } = httpCase;
  const { caseLoad, questions } = await prepareLoad(site, httpCase);
  const { warm, measured, rounds } = timesOf(bench);
  const usual = { ...caseLoad, rate: 0, seconds: measured };
  if (warm > 0) await load({ ...usual, seconds: warm, serverPid: service.pid });
  // In turns, so that what else the machine does falls on both.
  const leasts: LoadResult[] = [];
  const mosts: LoadResult[] = [];
  for (let round = 0; round < rounds; round++) {
    leasts.push(await leastLoad(bench, empty, usual));
    mosts.push(await load({ ...usual, serverPid: service.pid }));
  }
  const least = middle(leasts);
  const most = middle(mosts);
  tellCpu(bench, `${name}: empty handler`, least);
  tellCpu(bench, name, most);
  const peers = httpCase.asksPeers ? await askPeers(site, httpCase) : {};
  const target = unlessSmoke(bench, httpCase.target);
  bench.line({
    name,
    value: most.requestsPerSecond * perRequest,
    unit: perRequest === 1 ? 'requests/s' : 'checks/s',
    baseline: { name: 'empty handler', value: least.requestsPerSecond * perRequest },
    ...(target === undefined ? {} : { target }),
    ...voided(bench, ...mosts, ...leasts),
    ...(Object.keys(peers).length === 0 ? {} : { peers }),
    detail: {
      wrkCores: most.generatorCores,
      serverCores: most.serverCores,
      emptyWrkCores: least.generatorCores,
      emptyServerCores: least.serverCores,
      cpuRatio: (microsPerRequest(least) ?? Number.NaN) / (microsPerRequest(most) ?? Number.NaN),
      p50Micros: most.p50,
      p99Micros: most.p99,
      questions,
    },
  });
  return { caseLoad, requestsPerSecond: most.requestsPerSecond };
}

/** The bodies of a case in a file, once a sample of them was answered rightly. */
export async function prepareLoad(
  { scratch, data, service }: Pick<Site, 'scratch' | 'data' | 'service'>,
  { requests, path, perRequest, connections }: HttpCase,
): Promise<{ readonly caseLoad: CaseLoad; readonly questions: number }> {
  const url = `${service.url}/t/${ORGANIZATION}/api/v1${path}`;
  const headers = { authorization: `ApiKey ${data.adminApiKey}`, 'content-type': 'application/json' };
  const { bodies, isRight } = requests();
  await verifyAnswers(url, headers, bodies, isRight);
  const file = writeBodies(join(scratch, 'bodies'), bodies);
  return { caseLoad: { url, headers, bodies: file, connections }, questions: bodies.length * perRequest };
}
