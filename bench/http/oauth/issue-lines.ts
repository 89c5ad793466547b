import { join } from 'node:path';
import { SignBaseline, type SignRate } from '../../measure/sign-baseline.ts';
import { atLeast } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { microsPerRequest, middle, tellCpu, timesOf, voided } from '../lines/site.ts';
import { writeBodies } from '../load/body-file.ts';
import { type LoadResult, load, loadScripted } from '../load/wrk.ts';
import type { GrantFile } from './grants.ts';
import { apiOf, clientForm, formHeaders, type OAuthSite } from './oauth-site.ts';

/** Connections at once, each with a request under way: those that wait for one flush share it. */
export const ISSUE_CLIENTS = 512;
/** A token costs the service at least a signature, and is worth not much more. */
const SHARE_WANTED = 0.3;
/** The code of the service has to be hot, as it is in a service that issues this much. */
const WARM_SECONDS = 12;

/** Access tokens that programs get for themselves, each on disk and on record before it is answered. */
export async function clientCredentialsLine(site: OAuthSite): Promise<void> {
  const forms = site.programs.map((program) =>
    clientForm(program, { grant_type: 'client_credentials', scope: 'bench' }),
  );
  const bodies = writeBodies(join(site.scratch, 'client-credentials'), forms);
  await issueLine(site, 'client_credentials', (seconds) =>
    load({ ...tokenLoad(site), bodies, rate: 0, connections: ISSUE_CLIENTS, seconds }),
  );
}

/** Refresh tokens for the next ones and an access token. `files` are used up, one in each turn. */
export async function refreshLine(site: OAuthSite, files: readonly GrantFile[], connections: number): Promise<void> {
  const left = [...files];
  await issueLine(site, 'refresh', (seconds) => {
    const file = left.shift();
    if (file === undefined) throw new Error('there are no refresh tokens left');
    return loadScripted({ ...tokenLoad(site), connections, seconds }, 'refresh.lua', [file.path, file.form]);
  });
}

function tokenLoad(site: OAuthSite) {
  return { url: `${apiOf(site)}/oauth/token`, headers: formHeaders, serverPid: site.service.pid };
}

async function issueLine(
  site: OAuthSite,
  name: string,
  issue: (seconds: number) => Promise<LoadResult>,
): Promise<void> {
  const { bench } = site;
  const { warm, measured, rounds } = timesOf(bench);
  const baseline = new SignBaseline();
  baseline.measure(0.2);
  if (warm > 0) await issue(WARM_SECONDS);
  const signed: SignRate[] = [];
  const issued: LoadResult[] = [];
  for (let round = 0; round < rounds; round++) {
    // in turns, so that what else the machine does falls on both
    signed.push(baseline.measure(bench.isSmoke ? 0.1 : 1));
    issued.push(await issueCounted(site, issue, measured));
  }
  const result = middle(issued);
  const bare = signed.toSorted((one, other) => one.perSecond - other.perSecond)[signed.length >> 1] as SignRate;
  tellCpu(bench, `oauth ${name}`, result);
  const target = unlessSmoke(bench, atLeast(SHARE_WANTED, 'ratio'));
  bench.line({
    name: `oauth ${name}, ${bench.isSmoke ? 'a few' : ISSUE_CLIENTS} clients, each durable`,
    value: result.requestsPerSecond,
    unit: 'tokens/s',
    baseline: { name: 'crypto.sign, one thread', value: bare.perSecond },
    ...(target === undefined ? {} : { target }),
    ...voided(bench, ...issued),
    detail: {
      p50Millis: result.p50 / 1000,
      p99Millis: result.p99 / 1000,
      serverCores: result.serverCores,
      wrkCores: result.generatorCores,
      signMicros: bare.microsEach,
      cpuShare: bare.microsEach / (microsPerRequest(result) ?? Number.NaN),
    },
  });
}

/** Every answer was followed by a token on record; at the end each client was waiting for at most one more. */
async function issueCounted(
  site: OAuthSite,
  issue: (seconds: number) => Promise<LoadResult>,
  seconds: number,
): Promise<LoadResult> {
  const before = await countTokens(site);
  const result = await issue(seconds);
  const more = (await countTokens(site)) - before;
  if (more >= result.requests && more <= result.requests + ISSUE_CLIENTS) return result;
  throw new Error(`${result.requests} tokens were issued, and ${more} are on record`);
}

async function countTokens(site: OAuthSite): Promise<number> {
  const reply = await fetch(`${apiOf(site)}/admin/tokens?limit=1`, {
    headers: { authorization: `ApiKey ${site.data.adminApiKey}` },
  });
  const text = await reply.text();
  const total = /"total":(\d+)/.exec(text)?.[1];
  if (!reply.ok || total === undefined)
    throw new Error(`tokens were not counted: ${reply.status} ${text.slice(0, 300)}`);
  return Number(total);
}
