import type { LoadResult } from '../load/wrk.ts';
import { ORGANIZATION } from '../server/service-data.ts';
import { loadCommits } from './commit-line.ts';
import { microsPerRequest, middle, type Site, tellCpu, timesOf, voided } from './site.ts';

/** Tuples written and deleted over HTTP, as many as are answered: with an audit entry for each request, and without. */
export async function trailLine(site: Site): Promise<void> {
  const { bench, service, data } = site;
  const { measured, rounds } = timesOf(bench);
  const headers = { authorization: `ApiKey ${data.adminApiKey}`, 'content-type': 'application/json' };
  const measure = async (tupleAudit: 'none' | 'summary'): Promise<LoadResult> => {
    const url = `${service.url}/t/${ORGANIZATION}/api/v1/admin/settings/security`;
    const reply = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ tupleAudit }) });
    if (!reply.ok) throw new Error(`${url} answered ${reply.status}`);
    return loadCommits(site, { headers, rate: 0, seconds: measured, serverPid: service.pid });
  };
  // in turns, so that what else the machine does falls on both
  const without: LoadResult[] = [];
  const withEntry: LoadResult[] = [];
  for (let round = 0; round < rounds; round++) {
    without.push(await measure('none'));
    withEntry.push(await measure('summary'));
  }
  const least = middle(without);
  const most = middle(withEntry);
  tellCpu(bench, 'writes of one tuple, no audit entry', least);
  tellCpu(bench, 'writes of one tuple, an audit entry each', most);
  bench.line({
    name: 'writes of one tuple, an audit entry each',
    value: most.requestsPerSecond,
    unit: 'requests/s',
    baseline: { name: 'no audit entry', value: least.requestsPerSecond },
    ...voided(bench, least, most),
    detail: {
      p50Micros: most.p50,
      p99Micros: most.p99,
      p50MicrosWithout: least.p50,
      serverMicros: microsPerRequest(most) ?? 'unknown',
      serverMicrosWithout: microsPerRequest(least) ?? 'unknown',
    },
  });
}
