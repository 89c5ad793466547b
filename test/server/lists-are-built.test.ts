import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RECENT_MAX } from '../../engine/command/listing-definition.ts';
import { type Change, Engine, type ListingDefinition } from '../../engine/index.ts';
import { openTables } from '../../engine/store/environment.ts';
import { part } from '../../engine/store/listing/listing-keys.ts';
import { readListings, writeListings } from '../../engine/store/listing/listings.ts';
import { verifyStore } from '../../engine/store/verify/verify.ts';
import { userRecords } from '../../src/directory/records/index.ts';
import { Background, createLog, type LogFields, silentLog } from '../../src/platform/index.ts';
import { defineListings, listingsJob, listsCheck } from '../../src/server/listings.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';
import { Organization, RunningService } from './running-service.ts';

vi.setConfig({ testTimeout: 300_000 });

/** More than a search counts exactly. */
const USERS = 10_050;
const TIME = 1_700_000_000_000;

function user(store: string, number: number): Change {
  return userRecords.put({ name: store }, `u${String(number).padStart(6, '0')}`, {
    number: 1_000 + number,
    email: `Person${number}@example.com`,
    emailVerified: false,
    name: `Person ${number % 10}`,
    isActive: true,
    isBlocked: number % 100 === 0,
    mfaEnabled: false,
    metadata: {},
    createdAt: TIME + number,
    updatedAt: TIME + number,
    loginCount: 0,
  });
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

async function putUsers(engine: Engine, store: string, count: number): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const some = numbers(Math.min(500, count - from));
    await engine.submit(engine.command(some.map((number) => user(store, from + number))));
  }
}

describe('the job that builds lists', () => {
  let scratch: ScratchEngine;
  beforeEach(async () => {
    scratch = await ScratchEngine.open();
  });
  afterEach(() => scratch.close());

  test('goes step by step to the end, and tells the log of each tenth', async () => {
    const { engine } = scratch;
    const lines: LogFields[] = [];
    const log = createLog({ level: 'info', write: (line) => lines.push(JSON.parse(line) as LogFields) });
    await engine.createStore('s');
    await putUsers(engine, 's', 2_600);
    await defineListings(engine, [userRecords] as never, log);
    expect(lines).toMatchObject([{ collection: 'users', listed: 0, records: 2_600 }]);
    expect(listsCheck(engine.listingProgress())).toBe('building, 0 %');
    const background = new Background({ log: silentLog });
    const step = listingsJob.stepOf({ engine, log, background, isClockTrusted: () => true });
    let steps = 0;
    const said = new Set<string>();
    do {
      said.add(listsCheck(engine.listingProgress()));
      steps++;
    } while (await step(2_000));
    // 250 records at most in each
    expect(steps).toBe(11);
    expect(said.size).toBe(steps);
    expect(listsCheck(engine.listingProgress())).toBe('ok');
    const told = lines.slice(1, -1);
    expect(told).toHaveLength(9);
    expect(told.every(({ listed }) => Number(listed) % 250 === 0)).toBe(true);
    expect(lines.at(-1)).toMatchObject({ msg: 'all lists are kept in the store now' });
    const listing = engine.store('s').records.listing(userRecords.listing as ListingDefinition);
    expect(listing.page({ order: 'email', offset: 2_599, limit: 1 })).toMatchObject({ total: 2_600, ids: ['u000009'] });
  });
});

describe('data of a release whose lists have no zones', () => {
  test('is brought to this release step by step, which the log and the check of lists tell', async () => {
    const scratch = await ScratchEngine.open();
    try {
      const lines: LogFields[] = [];
      const log = createLog({ level: 'info', write: (line) => lines.push(JSON.parse(line) as LogFields) });
      await scratch.engine.createStore('s');
      await scratch.engine.defineListing(userRecords.listing as ListingDefinition);
      // of eight zones the last one is being gathered: the others are a step and more
      await putUsers(scratch.engine, 's', 8 * RECENT_MAX + 100);
      await scratch.engine.close();
      await withoutZones(scratch.path);
      await scratch.reopen();
      const { engine } = scratch;
      await defineListings(engine, [userRecords] as never, log);
      expect(lines).toMatchObject([{ msg: 'lists are brought to this release: until then some pages take longer' }]);
      const background = new Background({ log: silentLog });
      const step = listingsJob.stepOf({ engine, log, background, isClockTrusted: () => true });
      expect(listsCheck(engine.listingProgress())).toBe('bringing to this release, 0 %');
      expect(await step(2_000)).toBe(true);
      expect(listsCheck(engine.listingProgress())).toBe('bringing to this release, 71 %');
      expect(await step(2_000)).toBe(false);
      expect(listsCheck(engine.listingProgress())).toBe('ok');
      expect(lines.slice(1)).toMatchObject([
        { msg: 'lists are being brought to this release', listed: 5 * RECENT_MAX, records: 7 * RECENT_MAX },
        { msg: 'all lists are as this release keeps them' },
      ]);
    } finally {
      await scratch.close();
    }
  });
});

/** As an earlier release left it: without zones, and without a word of them. */
async function withoutZones(path: string): Promise<void> {
  const tables = openTables({ path });
  await tables.root.transaction(() => {
    for (const each of Array.from(tables.listings.getKeys({}), Buffer.from))
      if (each[PART_AT] === part.zone) tables.listings.removeSync(each);
    writeListings(
      tables,
      readListings(tables).map(({ unzoned: _, ...listing }) => listing),
    );
  });
  await tables.root.close();
}

/** Behind the store and the listing. */
const PART_AT = 6;

describe('data of a release that kept no lists in the store', () => {
  let folder: string;
  let running: RunningService | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'relata-lists-'));
  });
  afterEach(async () => {
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** An organization of many users whose store has no lists. */
  async function withoutLists(users: number): Promise<{ readonly key: string; readonly path: string }> {
    running = await RunningService.start({}, folder);
    const { key } = await running.organization('old');
    await running.stop();
    const path = join(folder, 'data', 'store');
    const tables = openTables({ path });
    await tables.root.transaction(() => {
      tables.meta.removeSync(Buffer.from('listings'));
      for (const each of [...tables.listings.getKeys({})]) tables.listings.removeSync(each);
    });
    await tables.root.close();
    const engine = await Engine.open({ path });
    await putUsers(engine, 'org:old', users);
    await engine.close();
    return { key, path };
  }

  test('is listed although the service is killed again and again meanwhile, with all that was written between', async () => {
    const users = 4_500;
    const { key, path } = await withoutLists(users);
    const emails = new Map(numbers(users).map((number) => [`Person${number}@example.com`, number % 100 === 0]));
    const idOf = (number: number) => `u${String(number).padStart(6, '0')}`;
    let kills = 0;
    let check = '';
    for (const until of [1, 25, 55, 101]) {
      running = await RunningService.start({}, folder);
      const organization = new Organization(running, 'old', key);
      for (;;) {
        check = (await running.call('GET', '/readyz')).text('checks.lists');
        if (check === 'ok' || Number(/\d+/.exec(check)?.[0]) >= until) break;
        await sleep(10);
      }
      // before and behind what is listed by now
      const email = `after.${until}@example.com`;
      const made = await organization.call('POST', '/admin/users', { body: { email, name: 'New' } });
      expect(made.status).toBe(201);
      emails.set(email, false);
      for (const number of [until, users - until]) {
        expect((await organization.call('DELETE', `/admin/users/${idOf(number)}`)).status).toBeLessThan(300);
        emails.delete(`Person${number}@example.com`);
      }
      if (check === 'ok') break;
      await running.stop('SIGKILL');
      kills++;
    }
    expect(kills).toBeGreaterThanOrEqual(2);
    expect(check).toBe('ok');
    const organization = new Organization(running as RunningService, 'old', key);
    for (const { query, isWanted } of [
      { query: '', isWanted: () => true },
      { query: '&blocked=true', isWanted: (_: string, isBlocked: boolean) => isBlocked },
      { query: '&search=person77', isWanted: (email: string) => email.startsWith('Person77') },
      { query: '&search=after.', isWanted: (email: string) => email.startsWith('after.') },
    ]) {
      const expected = [...emails].filter((each) => isWanted(...each)).map(([email]) => email.toLowerCase());
      const found: string[] = [];
      for (let offset = 0; offset < expected.length + 500; offset += 500) {
        const { body } = await organization.call('GET', `/admin/users?limit=500&offset=${offset}&sortBy=email${query}`);
        const { items, total } = body as { items: { email: string }[]; total: number };
        expect(total).toBe(expected.length);
        found.push(...items.map((item) => item.email.toLowerCase()));
      }
      expect(found).toEqual(expected.sort());
    }
    await running?.stop();
    running = undefined;
    expect((await verifyStore(path)).problems).toEqual([]);
  });

  test('is listed while it is served, and says of very many matches that they are at least so many', async () => {
    const { key, path } = await withoutLists(USERS);
    running = await RunningService.start({ RELATA_LOG_LEVEL: 'info' }, folder);
    const organization = new Organization(running, 'old', key);
    const page = async (query: string) => (await organization.call('GET', `/admin/users?${query}`)).body;
    const emails = { data: [{ email: 'Person9@example.com' }], pagination: { total: USERS } };
    expect(await page('limit=1&sortBy=email&sortOrder=desc')).toMatchObject(emails);
    for (let check = ''; check !== 'ok'; ) {
      check = (await running.call('GET', '/readyz')).text('checks.lists');
      expect(check).toMatch(/^(ok|building, \d+ %)$/);
      await sleep(100);
    }
    expect(running.output()).toContain('until then they are answered from memory');
    expect(running.output()).toContain('all lists are kept in the store now');
    expect(await page('limit=1&sortBy=email&sortOrder=desc')).toMatchObject(emails);
    expect(await page('limit=1&search=EXAMPLE.com')).toMatchObject({
      pagination: { total: 10_000, totalIsExact: false },
    });
    const last = await page('offset=10020&limit=50&search=example.com');
    expect(last).toMatchObject({ total: 10_000, totalIsExact: false });
    expect((last as { items: unknown[] }).items).toHaveLength(USERS - 10_020);
    const some = await page('limit=1&search=person 7');
    expect(some).toMatchObject({ pagination: { total: USERS / 10 } });
    expect(some).not.toHaveProperty('pagination.totalIsExact');
    await running.stop();
    running = undefined;
    expect((await verifyStore(path)).problems).toEqual([]);
  });
});
