import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { natsProgram } from '../../bench/cluster/nats-servers.ts';
import { hasWrk } from '../../bench/http/load/wrk.ts';
import { expectTinyNumbers, type SmokeRun, smokeRun } from './smoke-run.ts';

const suites = [
  { name: 'import', lines: ['import 1M, durable at the end', 'on disk after the import of 10M'] },
  {
    name: 'drive',
    lines: [
      'drive 1M direct',
      'drive 10M nested, median',
      'drive 1M nested, p99',
      'drive 1M nested + commits, median',
      'drive 1M bulk of 100, mixed',
      'drive 10M direct, nothing cached, median',
      'drive 10M nested, default cache',
    ],
  },
  { name: 'growth', lines: ['growth direct, median of 20,000 tuples', 'growth nested, median of 20,000 tuples'] },
  { name: 'shapes', lines: ['rbac', 'hosting, median', 'wide, p99', 'deep + commits'] },
  { name: 'lists', lines: ['list objects, first page of 10, median', 'list subjects of a document'] },
  { name: 'writes', lines: ['commits of one tuple, 64 clients, p99', 'on disk after random writes'] },
  { name: 'memory', lines: ['RssAnon, two acceptors and two pool threads, highest'] },
  { name: 'command', lines: ['relata import 1M from NDJSON', 'relata import 10M from NDJSON'] },
  { name: 'micro', lines: ['read a tuple', 'pack a tuple', 'read a model'] },
  { name: 'ask', lines: ['ask, median'] },
  { name: 'libraries', lines: ['rbac, beside casbin', 'rbac, beside cedar-wasm'] },
  {
    name: 'people',
    lines: [
      'people users, first page, median',
      'people users, search that finds many, p99',
      'people roles with their counts, median',
      'people members of a group of 200, sorted by email, median',
      'people audit log, by one actor, median',
      'people sessions, counted, median',
    ],
  },
  {
    name: 'people-1m',
    lines: [
      'people of 1,000,000, users, page 8, p99',
      'people of 1,000,000, lists, 16 clients at once, slowest median',
      'people of 1,000,000, RssAnon above that of the start',
      'people of 1,000,000, on disk, a record with its keys and lists',
      'people users, first page, growth',
    ],
  },
  {
    name: 'organizations',
    lines: [
      'organizations, start',
      'organizations, idle',
      'organizations, RssAnon, each was asked once',
      'organizations, created, 64 clients, each durable',
    ],
  },
];

const httpLines = [
  'http empty answer over socket',
  'http idle connections, 10,000, memory',
  'http zanzibar/check direct beside idle connections',
  'http zanzibar/check direct',
  'http authz/check nested',
  'http authz/check resource',
  'http zanzibar/check-bulk direct of 100',
  'http zanzibar/check-bulk nested of 100',
  'http zanzibar/check-bulk one subject of 100',
  'http authz/check-bulk nested of 100',
  'http zanzibar/check direct at half load, p99.9',
  'http zanzibar/check direct + commits',
  'people authz/check, beside tuples alone',
  'people created, 64 clients, each durable',
  'organizations, check in a random one, median',
  'organizations, check in a random one, p99',
  'people created with a password, 8 clients',
  'oauth zanzibar/check direct with a token',
  'oauth introspection',
  'oauth sign-ins with a password, 8 at once',
  'oauth client_credentials, a few clients, each durable',
  'oauth refresh, a few clients, each durable',
  'webhooks, from the event to its arrival, median',
  'webhooks, deliveries',
  'webhooks, half of the checks that are possible, meanwhile',
  'webhooks, as many checks as possible, meanwhile',
  'agents authz/check, delegated token',
  'agents authz/check, elevated token',
  'agents elevations, from their time to the refusal, highest',
  'agents elevations, from the last one’s time until all are deleted',
];

/**
 * The real command at tiny sizes: every suite comes to its end, every answer is right, every line has a number.
 * `npm test` has three suites (`smoke.test.ts`).
 */
describe('npm run bench -- --smoke', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relata-bench-smoke-'));
  let run: SmokeRun = { lines: [], output: '' };

  // A test and no hook: on a machine that has no core or disk for a second, a line has no answer, and it is tried again.
  it('comes to its end', () => {
    run = smokeRun(folder);
  }, 1_010_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(suites)('measures $name', ({ lines: names }) => {
    expect(run.lines.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it.skipIf(natsProgram() === undefined)('measures cluster (skipped only where nats-server is not installed)', () => {
    const names = [
      'commands, 256 clients over 3 nodes',
      'processor time of a check on a node of a cluster',
      'snapshot of 1M, sent',
      'from the snapshot of 10M to the first check',
    ];
    expect(run.lines.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it.skipIf(!hasWrk())('measures http (skipped only where wrk is not installed)', () => {
    expect(run.lines.map(({ name }) => name)).toEqual(expect.arrayContaining(httpLines));
  });

  it('gives each line a number, judges none, and prints all', () => {
    expectTinyNumbers(run);
  });
});
