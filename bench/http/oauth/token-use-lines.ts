import { join } from 'node:path';
import { atLeast } from '../../report/line.ts';
import { unlessSmoke } from '../../suites/suite.ts';
import { casesOf, type HttpCase } from '../http-cases.ts';
import { leastLoad, microsPerRequest, middle, tellCpu, timesOf, voided } from '../lines/site.ts';
import { writeBodies } from '../load/body-file.ts';
import { type LoadResult, load } from '../load/wrk.ts';
import { inParallel } from '../post.ts';
import { verifyAnswers } from '../verify-answers.ts';
import { apiOf, clientForm, formHeaders, type OAuthSite } from './oauth-site.ts';
import { sendForm, textOf } from './send-form.ts';

/** What is asked with a token, and with a key beside it. */
const ASKED = ['http zanzibar/check direct', 'http zanzibar/check nested', 'http authz/check nested'];
/** A token that was proved before costs about what a key costs. */
const SHARE_WANTED = 0.9;
const INTROSPECTED = 1_000;
const FEW_INTROSPECTED = 20;
const CONNECTIONS = 64;

/** Checks with an access token beside the same with an API key, once the service has seen both. */
export async function checkLines(site: OAuthSite): Promise<void> {
  const { bench, data } = site;
  const token = await accessToken(site, 0);
  for (const asked of casesOf(data, bench.isSmoke).filter(({ name }) => ASKED.includes(name))) {
    await checkLine(site, asked, `Bearer ${token}`);
    if (bench.isSmoke) return; // wrk knows no time under a second
  }
}

async function checkLine(site: OAuthSite, { name, path, requests }: HttpCase, authorization: string): Promise<void> {
  const { bench, scratch, data, service } = site;
  const url = `${apiOf(site)}${path}`;
  const withKey = { 'content-type': 'application/json', authorization: `ApiKey ${data.adminApiKey}` };
  const withToken = { ...withKey, authorization };
  const { bodies, isRight } = requests();
  for (const headers of [withKey, withToken]) await verifyAnswers(url, headers, bodies, isRight);
  const file = writeBodies(join(scratch, 'checks'), bodies);
  const { warm, measured, rounds } = timesOf(bench);
  const ask = (headers: Readonly<Record<string, string>>, seconds: number): Promise<LoadResult> =>
    load({ url, headers, bodies: file, connections: CONNECTIONS, rate: 0, seconds, serverPid: service.pid });
  for (const headers of warm > 0 ? [withKey, withToken] : []) await ask(headers, warm);
  const keys: LoadResult[] = [];
  const tokens: LoadResult[] = [];
  for (let round = 0; round < rounds; round++) {
    keys.push(await ask(withKey, measured));
    tokens.push(await ask(withToken, measured));
  }
  const key = middle(keys);
  const token = middle(tokens);
  const shown = name.replace('http ', 'oauth ');
  tellCpu(bench, `${shown} with a key`, key);
  tellCpu(bench, `${shown} with a token`, token);
  const target = unlessSmoke(bench, atLeast(SHARE_WANTED, 'ratio'));
  bench.line({
    name: `${shown} with a token`,
    value: token.requestsPerSecond,
    unit: 'requests/s',
    baseline: { name: 'with an API key', value: key.requestsPerSecond },
    ...(target === undefined ? {} : { target }),
    ...voided(bench, ...keys, ...tokens),
    detail: { cpuRatio: (microsPerRequest(key) ?? Number.NaN) / (microsPerRequest(token) ?? Number.NaN) },
  });
}

/** Tokens that are good, each asked about by the client that has it. */
export async function introspectionLine(site: OAuthSite): Promise<void> {
  const { bench, scratch, programs, service, empty } = site;
  const places = Array.from({ length: bench.isSmoke ? FEW_INTROSPECTED : INTROSPECTED }, (_, place) => place);
  const forms: string[] = [];
  await inParallel(places, 8, async (place) => {
    const program = programs[place % programs.length];
    if (program === undefined) throw new Error('there are no programs');
    // last, because what fills a body up to the length of the longest belongs to it
    const last = { token: await accessToken(site, place), token_type_hint: 'access_token' };
    forms.push(clientForm(program, last));
  });
  await verifyIntrospection(site, forms);
  const bodies = writeBodies(join(scratch, 'introspections'), forms);
  const { warm, measured, rounds } = timesOf(bench);
  const usual = { headers: formHeaders, bodies, connections: CONNECTIONS, rate: 0 };
  const ask = (seconds: number): Promise<LoadResult> =>
    load({ ...usual, url: `${apiOf(site)}/oauth/introspect`, seconds, serverPid: service.pid });
  if (warm > 0) await ask(warm);
  const leasts: LoadResult[] = [];
  const mosts: LoadResult[] = [];
  for (let round = 0; round < rounds; round++) {
    leasts.push(await leastLoad(bench, empty, { ...usual, seconds: measured }));
    mosts.push(await ask(measured));
  }
  const most = middle(mosts);
  tellCpu(bench, 'oauth introspection', most);
  bench.line({
    name: 'oauth introspection',
    value: most.requestsPerSecond,
    unit: 'requests/s',
    baseline: { name: 'empty handler', value: middle(leasts).requestsPerSecond },
    ...voided(bench, ...mosts, ...leasts),
    detail: { p50Micros: most.p50, p99Micros: most.p99, serverCores: most.serverCores },
  });
}

async function verifyIntrospection(site: OAuthSite, forms: readonly string[]): Promise<void> {
  for (const body of forms.slice(0, 20)) {
    const answer = await sendForm(`${apiOf(site)}/oauth/introspect`, body);
    if (answer.active !== true) throw new Error(`a good token was introspected as ${JSON.stringify(answer)}`);
  }
}

async function accessToken(site: OAuthSite, place: number): Promise<string> {
  const program = site.programs[place % site.programs.length];
  if (program === undefined) throw new Error('there are no programs');
  const body = clientForm(program, { grant_type: 'client_credentials' });
  return textOf(await sendForm(`${apiOf(site)}/oauth/token`, body), 'access_token');
}
