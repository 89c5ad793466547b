import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Change, RecordWrite } from '../../engine/index.ts';
import { verifyStore } from '../../engine/store/verify/verify.ts';
import { readExportPage } from '../../src/audit/export/export-page.ts';
import { AuditTables } from '../../src/audit/query/audit-tables.ts';
import { auditSorts, type EntryQuery, readEntryPage } from '../../src/audit/query/entry-page.ts';
import { entryAs } from '../../src/audit/query/entry-view.ts';
import type { AuditFilters } from '../../src/audit/query/filters.ts';
import { matchEntries } from '../../src/audit/query/matching.ts';
import { readActions, readStats, type StatGroup, statGroups } from '../../src/audit/query/stats.ts';
import { auditedAs } from '../../src/kernel/audit/audited.ts';
import { type AuditEntry, kindKey, kindOf, type StoredEntry, shownEntry } from '../../src/kernel/audit/entry.ts';
import { deriveKey, uuidGenerator } from '../../src/platform/index.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';
import { runsOf } from '../generated/extent.ts';
import { seed } from '../generated/seed.ts';
import { eraseFrom } from './erase.ts';

const organization = { id: 'o', store: { name: 'org:acme' } };
const ENTRIES = 2_500;
const START = Date.UTC(2026, 0, 1);

/** One value in `of` is another one, so that some are rare. */
function pick(list: readonly string[], number: number): string {
  return list[((number * 7919) % 97) % (list.length + 3)] ?? (list[0] as string);
}

// the last does not fit into a key with others, and the one before it has what tells values from each other
const actions = ['token.issue', 'user.update', 'user.block', 'é.write', 'ﬀ.write', '😀.write', 'a|b', '長'.repeat(128)];
const eventTypes = ['token.issued', 'user.updated', 'admin.action'];
const severities = ['info', 'warning', 'error'] as const;
const results = ['success', 'failure'] as const;
const targetTypes = ['user', 'client', 'role', 'type0', 'type1', 'type2', 'type3', 'type4', 'type5', 'type6'];
const actors = ['anne', 'bob', 'carol'];
const targets = ['t1', 't2', 't3', 't4'];
const addresses = ['10.0.0.1', '10.0.0.2'];

/** The keys that entries of earlier versions have. */
function earlier(record: RecordWrite): RecordWrite {
  const { action, eventType, severity, result, targetType } = record.document as StoredEntry;
  const { kind: _, ...others } = record.indexes ?? {};
  const each = { action, eventType, severity, result, ...(targetType === undefined ? {} : { targetType }) };
  return { ...record, indexes: { ...others, ...each } };
}

/** Entries of all sorts: some times have many of them, and some targets have no type. */
function entryChanges(isEarlier: (number: number) => boolean): Change[][] {
  let time = START;
  const maker = { newId: uuidGenerator({ now: () => time }), now: () => time };
  return Array.from({ length: ENTRIES }, (_, number) => {
    if (number % 1200 > 700) time += (number * 31) % 50_000;
    const targetType = number % 11 === 0 ? undefined : pick(targetTypes, number + 3);
    const auditEvent = {
      action: pick(actions, number),
      eventType: pick(eventTypes, number + 1),
      severity: pick(severities, number >> 3) as AuditEntry['severity'],
      result: pick(results, number >> 1) as AuditEntry['result'],
      targetId: number % 5 === 0 ? undefined : pick(targets, number >> 2),
      targetType,
      metadata: { note: `note ${number % 40}` },
    };
    const actor = { id: pick(actors, number >> 4), type: 'user', email: 'a@example.com' } as const;
    const facts = { requestId: 'r', header: () => '', clientAddress: () => addresses[number % 2] as string };
    const [put, ...rest] = auditedAs(maker, organization, actor, facts, auditEvent);
    if (put?.op !== 'put_record') throw new Error('there is no entry');
    return [isEarlier(number) ? { ...put, record: earlier(put.record) } : put, ...rest];
  });
}

const filters: fc.Arbitrary<AuditFilters> = fc.record(
  {
    equal: fc.record(
      {
        action: fc.constantFrom(...actions, 'none'),
        eventType: fc.constantFrom(...eventTypes),
        severity: fc.constantFrom(...severities),
        result: fc.constantFrom(...results),
        targetType: fc.constantFrom(...targetTypes),
        actorId: fc.constantFrom(...actors),
        targetId: fc.constantFrom(...targets),
        ipAddress: fc.constantFrom(...addresses),
      },
      { requiredKeys: [] },
    ),
    from: fc.integer({ min: START - 1000, max: START + 40_000_000 }),
    to: fc.integer({ min: START - 1000, max: START + 90_000_000 }),
    search: fc.constantFrom('note 7', 'user', '10.0.0.2'),
  },
  { requiredKeys: ['equal'] },
);

const query: fc.Arbitrary<EntryQuery> = fc.record({
  filters,
  skip: fc.oneof(fc.constant(0), fc.nat(50), fc.nat(ENTRIES)),
  take: fc.nat(30),
  sortBy: fc.constantFrom(...auditSorts),
  descending: fc.boolean(),
});

type Times = Pick<AuditFilters, 'from' | 'to'>;

/** A log that is looked through entry by entry. */
class PlainLog {
  /** Oldest first. */
  readonly entries: readonly AuditEntry[];

  constructor(entries: readonly AuditEntry[]) {
    this.entries = entries;
  }

  matching({ equal, search, ...times }: AuditFilters): AuditEntry[] {
    const wanted = Object.entries(equal) as [keyof AuditFilters['equal'], string][];
    return this.#within(times).filter(
      (entry) =>
        wanted.every(([field, value]) => entry[field] === value) &&
        (search === undefined || searched(entry).includes(search)),
    );
  }

  page({ filters, skip, take, sortBy, descending }: EntryQuery) {
    const found = this.matching(filters);
    const newest = found.toReversed();
    const isByTime = sortBy === 'createdAt' || filters.equal[sortBy] !== undefined;
    const byField = newest.toSorted((a, b) => (descending ? -1 : 1) * compare(a[sortBy], b[sortBy]));
    const byTime = sortBy === 'createdAt' && !descending ? found : newest;
    return { entries: (isByTime ? byTime : byField).slice(skip, skip + take), total: found.length };
  }

  stats(groupBy: StatGroup, times: Times) {
    const counts = new Map<string, number>();
    const within = this.#within(times);
    for (const entry of within)
      counts.set(entry[statGroups[groupBy]], (counts.get(entry[statGroups[groupBy]]) ?? 0) + 1);
    const groups = [...counts].map(([key, count]) => ({ key, count })).sort((a, b) => compare(a.key, b.key));
    return { groupBy, total: within.length, groups: groups.sort((a, b) => b.count - a.count) };
  }

  #within({ from = 0, to = Number.POSITIVE_INFINITY }: Times): readonly AuditEntry[] {
    if (from === 0 && to === Number.POSITIVE_INFINITY) return this.entries;
    return this.entries.filter(({ createdAt }) => Date.parse(createdAt) >= from && Date.parse(createdAt) <= to);
  }
}

function searched({ id, orgId, createdAt, metadata, ...texts }: AuditEntry): string {
  return [...Object.values(texts), JSON.stringify(metadata)].join('\n').toLowerCase();
}

/** In the order of the bytes. */
function compare(a: string, b: string): number {
  return Buffer.from(a).compare(Buffer.from(b));
}

describe.each([
  { name: 'entries with a key for their kind', isEarlier: () => false },
  { name: 'entries of earlier versions, with a key for each field', isEarlier: () => true },
  { name: 'both, one after the other', isEarlier: (number: number) => number < ENTRIES / 2 },
  { name: 'both among each other', isEarlier: (number: number) => number % 3 === 0 },
])('a log of $name answers as one that is looked through', ({ isEarlier }) => {
  let scratch: ScratchEngine;
  let plain: PlainLog;

  beforeAll(async () => {
    scratch = await ScratchEngine.open({ chainKey: deriveKey('m'.repeat(32), 'audit chain') });
    await scratch.engine.createStore('org:acme');
    const changes = entryChanges(isEarlier);
    await scratch.engine.submit(scratch.engine.command(changes.flat()));
    plain = new PlainLog(stored());
  });
  afterAll(() => scratch.close());

  function stored(): AuditEntry[] {
    const { records } = scratch.engine.store('org:acme');
    const found: AuditEntry[] = [];
    for (;;) {
      const page = records.list<StoredEntry>('audit_entries', { after: found.at(-1)?.id ?? '' });
      found.push(...page.map(({ document }) => shownEntry(document)));
      if (page.length === 0) return found;
    }
  }

  function ask<T>(question: (tables: AuditTables) => T): T {
    return scratch.engine.read(() => question(new AuditTables(scratch.engine.store('org:acme'))));
  }

  test('pages in every order', () => {
    fc.assert(
      fc.property(query, (asked) => {
        expect(ask((tables) => readEntryPage(tables, asked))).toEqual(plain.page(asked));
      }),
      { numRuns: runsOf({ quick: 25, whole: 80 }), seed },
    );
  });

  test.each([{ result: 'success' }, { severity: 'info' }, { eventType: 'token.issued' }])(
    'all pages of %j',
    (equal) => {
      for (const descending of [true, false]) {
        const all = plain.matching({ equal });
        expect(all.length).toBeGreaterThan(1500);
        for (let skip = 0; skip < all.length + 100; skip += 100) {
          const asked = { filters: { equal }, skip, take: 100, sortBy: 'createdAt', descending } as const;
          expect(ask((tables) => readEntryPage(tables, asked))).toEqual(plain.page(asked));
        }
      }
    },
  );

  test('counts, and names of actions', () => {
    fc.assert(
      fc.property(fc.constantFrom<StatGroup>('action', 'user'), filters, (groupBy, { from, to }) => {
        expect(ask((tables) => readStats(tables, groupBy, { from, to }))).toEqual(plain.stats(groupBy, { from, to }));
      }),
      { numRuns: runsOf({ quick: 8, whole: 25 }), seed },
    );
    const named = [...new Set(plain.entries.map(({ action }) => action))].sort(compare);
    expect(ask(readActions)).toEqual(named);
  });

  test('exports, and whether there are more than some', () => {
    fc.assert(
      fc.property(filters, fc.nat(ENTRIES), (asked, max) => {
        const found = plain.matching(asked).toReversed();
        const rows: string[] = [];
        let before: string | undefined;
        do {
          const page = ask((tables) => readExportPage(tables, asked, 'json', before));
          rows.push(...page.rows);
          before = page.before;
        } while (before !== undefined);
        expect(rows).toEqual(found.map((entry) => JSON.stringify(entryAs('tenant', entry))));
        const beyond = { skip: max, take: 1, descending: true, counted: false };
        expect(ask((tables) => matchEntries(tables, asked, beyond)).ids).toEqual(
          found.slice(max, max + 1).map(({ id }) => id),
        );
      }),
      { numRuns: runsOf({ quick: 8, whole: 30 }), seed },
    );
  });

  test('and the same once a person was erased', async () => {
    const before = plain.entries.filter(({ actorId }) => actorId === 'bob').length;
    expect(await eraseFrom(scratch.engine, 'org:acme', { type: 'user', id: 'bob' })).toBe(before);
    plain = new PlainLog(stored());
    expect(plain.matching({ equal: { actorId: 'bob', ipAddress: '10.0.0.1' } })).toEqual([]);
    fc.assert(
      fc.property(query, (asked) => {
        expect(ask((tables) => readEntryPage(tables, asked))).toEqual(plain.page(asked));
      }),
      { numRuns: runsOf({ quick: 8, whole: 25 }), seed },
    );
    expect(await verifyStore(scratch.path)).toMatchObject({ problems: [] });
  });
});

describe('the key of a kind', () => {
  const kind = { action: 'user.update', eventType: 'user.updated', severity: 'info', result: 'success' };

  test('is made of what it says', () => {
    expect(kindOf(kindKey({ ...kind, targetType: 'user' }) ?? '')).toEqual({ ...kind, targetType: 'user' });
    expect(kindOf(kindKey(kind) ?? '')).toEqual({ ...kind, targetType: '' });
  });

  test.each([
    ['has the sign between two fields', { action: 'a|b' }],
    ['is too long', { action: 'a'.repeat(128), targetType: '長'.repeat(128) }],
  ])('is none where a field %s', (_, odd) => {
    expect(kindKey({ ...kind, ...odd })).toBeUndefined();
  });
});
