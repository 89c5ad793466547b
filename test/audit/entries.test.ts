import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Change } from '../../engine/index.ts';
import { proveLogs } from '../../src/audit/index.ts';
import { canonicalJson, entryDigest } from '../../src/kernel/audit/canonical.ts';
import { type StoredEntry, shownEntry } from '../../src/kernel/audit/entry.ts';
import { type AuditEvent, auditedAs, diff } from '../../src/kernel/audit/index.ts';
import { deriveKey, systemClock, uuidGenerator } from '../../src/platform/index.ts';
import { ScratchEngine } from '../engine/scratch-engine.ts';
import { eraseFrom } from './erase.ts';

const masterKey = 'a master key of at least thirty-two characters';
const maker = { newId: uuidGenerator(systemClock), now: () => systemClock.now() };
const facts = {
  requestId: 'r',
  header: (name: string) => (name === 'user-agent' ? 'Browser' : ''),
  clientAddress: () => '10.1.2.3',
};

let scratch: ScratchEngine;

beforeEach(async () => {
  scratch = await ScratchEngine.open({ chainKey: deriveKey(masterKey, 'audit chain') });
  await scratch.engine.createStore('org:acme');
});
afterEach(() => scratch.close());

const organization = { id: 'o', store: { name: 'org:acme' } };
const anne = { id: 'anne', type: 'user', email: 'anne@example.com' } as const;

async function write(auditEvent: Partial<AuditEvent>, actor: { id: string; type: 'user' | 'agent' } = anne) {
  const full = { eventType: 'user.updated', action: 'user.update', ...auditEvent };
  const made = auditedAs(maker, organization, actor, facts, full);
  const { revision } = await scratch.engine.submit(scratch.engine.command(made));
  return { entry: shownEntry(documentOf(made)), revision };
}

function documentOf([put]: readonly Change[]): StoredEntry {
  if (put?.op !== 'put_record') throw new Error('there is no entry');
  return put.record.document as StoredEntry;
}

function stored(id: string): StoredEntry {
  const found = scratch.engine.store('org:acme').records.get<StoredEntry>('audit_entries', id);
  if (found === undefined) throw new Error('there is no such entry');
  return found.document;
}

async function broken() {
  const [report] = await proveLogs({ path: scratch.path, masterKey });
  return report?.break;
}

describe('what an entry keeps', () => {
  test('comes back as it was made, whatever is in it', async () => {
    const odd = {
      'lone \ud800': 'x\udc00y',
      pair: '😀 \\ud800',
      nothing: undefined,
      list: [1, undefined, { b: 1, a: [null] }],
      date: new Date(0),
      large: 2 ** 60,
      small: -0,
      none: Number.NaN,
      __proto__: { a: 1 },
    };
    const { entry } = await write({ metadata: odd, personal: { email: 'b@example.com', odd } });
    expect(shownEntry(stored(entry.id))).toEqual(entry);
    expect(entry.metadata.pair).toBe('😀 \\ud800');
    expect(await broken()).toBeUndefined();
  });

  test('is bounded', async () => {
    const { entry } = await write({
      action: 'a'.repeat(1000),
      metadata: { long: 'x'.repeat(20_000) },
      personal: { long: 'x'.repeat(20_000) },
    });
    expect(entry.action).toHaveLength(128);
    expect(entry.metadata).toEqual({ requestId: 'r', truncated: true });
  });

  test.each([
    ['16 KB of text', { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length) }, true],
    ['one character more', { text: 'x'.repeat(16 * 1024 - '{"text":""}'.length + 1) }, false],
    ['characters that JSON escapes', { list: ['\u0000'.repeat(2_000), '\u0000'.repeat(1_000)] }, false],
    ['a name that is too long', { ['x'.repeat(16 * 1024)]: 1 }, false],
    ['what is long inside', { of: { many: [{ text: 'x'.repeat(20_000) }] } }, false],
  ])('%s are kept or not, as JSON has them', async (_, metadata: Readonly<Record<string, unknown>>, isKept) => {
    const { entry } = await write({ metadata });
    expect(entry.metadata).toEqual({ requestId: 'r', ...(isKept ? metadata : { truncated: true }) });
  });

  test('has the time that its id carries', async () => {
    const { entry } = await write({});
    expect(Number.parseInt(entry.id.replace('-', '').slice(0, 12), 16)).toBe(Date.parse(entry.createdAt));
  });

  test('is named by the log of changes, which has nothing of a person', async () => {
    const { entry, revision } = await write({ personal: { email: 'b@example.com' } });
    const { changes } = scratch.engine.store('org:acme').changes(revision - 1, 10);
    expect(changes.map(({ records }) => records)).toEqual([[{ collection: 'audit_entries', id: entry.id, op: 'put' }]]);
    const text = JSON.stringify(changes);
    for (const secret of ['example.com', '10.1.2.3', 'Browser']) expect(text).not.toContain(secret);
  });
});

describe('the text that a digest is made of', () => {
  test.each([
    [
      'names in order',
      { b: 1, a: { d: null, c: [true, { z: 0, y: '' }] } },
      '{"a":{"c":[true,{"y":"","z":0}],"d":null},"b":1}',
    ],
    ['nothing absent', { a: undefined, b: [undefined] }, '{"b":[null]}'],
    [
      'what JSON escapes',
      { '"\n': 'a"\\\u0000\u001f\ud800😀\u007f\u2028é' },
      '{"\\"\\n":"a\\"\\\\\\u0000\\u001f\\ud800😀\u007f\u2028é"}',
    ],
    ['numbers', [-0, 1e21, 0.1, Number.NaN], '[0,1e+21,0.1,null]'],
    ['nothing in it', [{}, []], '[{},[]]'],
    [
      'what is in order around what is not',
      { a: [{ d: 1, c: { f: 1, e: 2 } }], b: 1 },
      '{"a":[{"c":{"e":2,"f":1},"d":1}],"b":1}',
    ],
    ['what is in order, of which parts are absent', { a: undefined, b: { c: undefined } }, '{"b":{}}'],
    [
      'a name of the prototype around what is not in order',
      JSON.parse('{"__proto__":{"b":1,"a":2}}'),
      '{"__proto__":{"a":2,"b":1}}',
    ],
  ])('has %s', (_, value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});

describe('erasing a person', () => {
  test('leaves what it did, and nothing that tells who it was', async () => {
    const own = await write({ personal: { phone: '+1-555-0100' } });
    const about = await write(
      { targetId: 'anne', targetType: 'user', personal: { email: 'old@example.com' } },
      {
        id: 'bob',
        type: 'user',
      },
    );
    const toBob = await write({ targetId: 'bob', targetType: 'user', personal: { email: 'bob@example.com' } });
    const digests = [own, about, toBob].map(({ entry }) => entryDigest(stored(entry.id)).toString('hex'));
    expect(await eraseFrom(scratch.engine, 'org:acme', { type: 'user', id: 'anne' })).toBe(3);
    expect(shownEntry(stored(own.entry.id))).toEqual({
      ...without(own.entry, ['actorEmail', 'ipAddress', 'userAgent']),
      metadata: { requestId: 'r' },
    });
    // who did it was somebody else, and where from stays
    expect(shownEntry(stored(about.entry.id))).toEqual({ ...about.entry, metadata: { requestId: 'r' } });
    // what it tells is about somebody else
    expect(shownEntry(stored(toBob.entry.id))).toEqual(without(toBob.entry, ['actorEmail', 'ipAddress', 'userAgent']));
    const after = [own, about, toBob].map(({ entry }) => entryDigest(stored(entry.id)).toString('hex'));
    expect(after).toEqual(digests);
    expect(await broken()).toBeUndefined();
    expect(JSON.stringify(stored(own.entry.id))).not.toMatch(/"salt"|anne@|10\.1|Browser|555-/);
    expect(await eraseFrom(scratch.engine, 'org:acme', { type: 'user', id: 'anne' })).toBe(0);
  });

  test('reaches all pages of a long log', async () => {
    const made = Array.from({ length: 450 }, () =>
      auditedAs(maker, organization, anne, facts, { eventType: 'user.login', action: 'user.login' }),
    );
    await scratch.engine.submit(scratch.engine.command(made.flat()));
    expect(await eraseFrom(scratch.engine, 'org:acme', { type: 'user', id: 'anne' })).toBe(450);
    expect(scratch.engine.store('org:acme').recordIndex('audit_entries').count('ipAddress', '10.1.2.3')).toBe(0);
    expect(await broken()).toBeUndefined();
  });
});

function without(entry: object, names: readonly string[]) {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !names.includes(name)));
}

describe('diff', () => {
  test.each([
    {
      name: 'changed fields alone',
      before: { a: 1, b: [1] },
      after: { a: 2, b: [1] },
      changes: { a: { before: 1, after: 2 } },
    },
    {
      name: 'what came and what went',
      before: { a: 1 },
      after: { b: 2 },
      changes: { a: { before: 1 }, b: { after: 2 } },
    },
    { name: 'nothing', before: { a: { b: 1 } }, after: { a: { b: 1 } }, changes: {} },
    {
      name: 'a secret only as changed',
      before: { smtpPassword: 'old', clientSecret: null, note: 'x' },
      after: { smtpPassword: 'new', clientSecret: 'y', note: 'z' },
      changes: { clientSecret: { changed: true }, note: { before: 'x', after: 'z' }, smtpPassword: { changed: true } },
    },
    {
      name: 'no secret inside of a value',
      before: { smtp: { password: 'old', host: 'a' } },
      after: { smtp: { password: 'new', host: 'b' } },
      changes: { smtp: { before: { password: '[secret]', host: 'a' }, after: { password: '[secret]', host: 'b' } } },
    },
    { name: 'a whole record', before: undefined, after: { a: 1 }, changes: { a: { after: 1 } } },
  ])('shows $name', ({ before, after, changes }) => {
    expect(diff(before, after)).toEqual(changes);
  });

  test('hides the fields that the caller names, and shortens long values', () => {
    expect(diff({ pin: 1 }, { pin: 2 }, ['pin'])).toEqual({ pin: { changed: true } });
    const changes = diff({}, { text: 'x'.repeat(5000) });
    expect(JSON.stringify(changes).length).toBeLessThan(1200);
  });
});
