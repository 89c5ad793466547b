import { rmSync } from 'node:fs';
import { namedPermissions, questionAbout } from '../data/words/questions.ts';
import { inParallel, post } from '../http/post.ts';
import { type RunningServer, startService } from '../http/server/running-service.ts';
import { percentile } from '../measure/percentile.ts';
import { atMost } from '../report/line.ts';
import { scratchFolder } from '../store/kept-folder.ts';
import { type Bench, type Suite, unlessSmoke } from './suite.ts';

const PERMISSIONS = 1000;
const FEW_PERMISSIONS = 30;
const QUESTIONS = 2000;
const FEW_QUESTIONS = 20;
const subject = 'user:of-this-benchmark';
const platformKey = 'rlt_platform_of-this-benchmark-alone-0001';
/** One client sends all of it. */
const environment = {
  RELATA_PLATFORM_KEY: platformKey,
  RELATA_LIMIT_RATE_DECISIONS: '0',
  RELATA_LIMIT_RATE_ORDINARY: '0',
};

interface Site {
  readonly bench: Bench;
  readonly permissions: number;
  /** Of the organization, in the tenant family. */
  readonly api: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Questions in plain words, over HTTP, one after the other. */
export const askSuite: Suite = {
  name: 'ask',
  about: 'questions in plain words over the words of 1,000 permissions',
  async run(bench) {
    const scratch = scratchFolder('ask');
    const service = await startService(scratch, environment);
    try {
      await measure(await furnished(bench, service));
    } finally {
      await service.stop();
      rmSync(scratch, { recursive: true, force: true });
    }
  },
};

async function furnished(bench: Bench, { url }: RunningServer): Promise<Site> {
  const permissions = bench.isSmoke ? FEW_PERMISSIONS : PERMISSIONS;
  bench.note(`${permissions} permissions`);
  const made = await post(
    `${url}/platform/api/v1/orgs`,
    { authorization: `Bearer ${platformKey}` },
    JSON.stringify({ slug: 'words', name: 'Words' }),
  );
  const { adminApiKey } = (made as { data: { adminApiKey: string } }).data;
  const headers = { authorization: `Bearer ${adminApiKey}` };
  const api = `${url}/t/words/api/v1`;
  await inParallel(namedPermissions(permissions), 16, async (permission) => {
    await post(`${api}/admin/permissions`, headers, JSON.stringify(permission));
  });
  return { bench, permissions, api, headers };
}

async function measure(site: Site): Promise<void> {
  const { bench, permissions, api, headers } = site;
  const count = bench.isSmoke ? FEW_QUESTIONS : QUESTIONS;
  const slugs = namedPermissions(permissions).map(({ slug }) => slug);
  // every thread of the pool reads the vocabulary once
  const first = await timed(10, (at) => ask(site, slugs, at));
  const asked = await timed(count, (at) => ask(site, slugs, at));
  const checked = await timed(count, async (at) => {
    await post(`${api}/authz/check`, headers, JSON.stringify({ subject, permission: slugs[at % slugs.length] }));
  });
  const baseline = { name: 'authz/check', value: percentile(checked, 0.5) };
  const target = unlessSmoke(bench, atMost(5));
  bench.line({
    name: 'ask, median',
    value: percentile(asked, 0.5),
    unit: 'ms',
    baseline,
    ...(target === undefined ? {} : { target }),
    detail: { questions: count, permissions, p99Millis: percentile(asked, 0.99), firstMillis: first.at(-1) ?? 0 },
  });
}

/** @throws where a question was not mapped to the permission that it is about */
async function ask({ api, headers }: Site, slugs: readonly string[], at: number): Promise<void> {
  const place = (at * 7) % slugs.length;
  const answer = await post(`${api}/agents/ask`, headers, JSON.stringify({ question: questionAbout(place, at) }));
  const { required_scopes: scopes } = answer as { readonly required_scopes: readonly string[] };
  if (scopes[0] !== slugs[place]) throw new Error(`${questionAbout(place, at)} was mapped to ${scopes[0]}`);
}

/** Milliseconds of each, in order of their length. */
async function timed(count: number, task: (at: number) => Promise<void>): Promise<Float64Array> {
  const millis = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const startedAt = performance.now();
    await task(at);
    millis[at] = performance.now() - startedAt;
  }
  return millis.sort();
}
