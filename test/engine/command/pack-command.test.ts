import { describe, expect, it } from 'vitest';
import type { Command } from '../../../engine/command/command.ts';
import { packCommand } from '../../../engine/command/pack-command.ts';
import { pack, recordKey } from '../../../engine/store/layout.ts';
import {
  endsWithKeys,
  keysText,
  recordBytes,
  recordOf,
  versionOf,
} from '../../../engine/store/records/stored-record.ts';

const command = (document: unknown, more: Partial<Command> = {}): Command => ({
  id: 'c',
  time: 1,
  changes: [{ op: 'put_record', store: 's', record: { collection: 'notes', id: 'n', document, unique: { by: 'n' } } }],
  ...more,
});

describe('a command on its way to the writer', () => {
  it('has its documents as JSON, and the rest as it was', () => {
    const preconditions = [{ require: 'latest_model', store: 's', modelId: null }] as const;
    const packed = packCommand(command({ text: 'über', at: 2 ** 40, none: undefined }, { preconditions }));
    expect(packed).toEqual({
      id: 'c',
      time: 1,
      preconditions,
      changes: [
        {
          op: 'put_record',
          store: 's',
          record: { collection: 'notes', id: 'n', json: '{"text":"über","at":1099511627776}', unique: { by: 'n' } },
        },
      ],
    });
  });

  it('is the caller’s no more', () => {
    const document = { list: ['a'] };
    const packed = packCommand(command(document));
    document.list.push('b');
    expect(packed.changes).toMatchObject([{ record: { json: '{"list":["a"]}' } }]);
  });

  const circular: { self?: unknown } = {};
  circular.self = circular;

  it.each([
    { name: 'a circle', value: circular },
    { name: 'a number larger than JSON has', value: { at: 2n ** 64n } },
    { name: 'nothing', value: undefined },
    { name: 'a function', value: () => 'a function' },
  ])('is refused with $name for a document', ({ value }) => {
    expect(() => packCommand(command(value))).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});

describe('a stored record', () => {
  const place = recordKey(1, 'things', 'a');
  const document = { name: 'Zoë \u{1f600}', half: '\ud83d', list: [1, null, { deep: true }] };
  const keys = { indexes: { by: 'Zoë', '#state': 'open' }, unique: { name: 'z' } };

  it.each([{ more: {} }, { more: keys }])('comes back as it was, with $more', ({ more }) => {
    expect(recordOf(recordBytes(7, JSON.stringify(document), keysText(more)), place)).toEqual({
      version: 7,
      document,
      ...more,
    });
  });

  it('is read as an earlier version wrote it', () => {
    const { half: _, ...stored } = document;
    expect(recordOf(pack({ version: 1, document: stored, ...keys }), place)).toEqual({
      version: 1,
      document: stored,
      ...keys,
    });
  });

  it('is read from a buffer that is longer than it', () => {
    const bytes = recordBytes(1, '{}');
    const longer = Buffer.concat([bytes, Buffer.from('rest of another')]);
    Object.defineProperty(longer, 'length', { value: bytes.length });
    expect(recordOf(longer, place)).toEqual({ version: 1, document: {} });
  });

  it.each([1, 9, 10, 4_294_967_297])('tells its version without being read whole: %d', (version) => {
    expect(versionOf(recordBytes(version, JSON.stringify(document), keysText(keys)), place)).toBe(version);
    expect(versionOf(pack({ version, document: { name: 'Zoë' } }), place)).toBe(version);
  });

  it('tells whether its keys are these, and is not deceived by a document that has such text', () => {
    const { indexes } = keys;
    const text = keysText({ indexes });
    const stored = (value: unknown, more = {}) => recordBytes(3, JSON.stringify(value), keysText(more));
    expect(endsWithKeys(stored(document, { indexes }), text)).toBe(true);
    expect(endsWithKeys(stored(document, keys), keysText(keys))).toBe(true);
    const others = [
      {},
      keys,
      { unique: keys.unique },
      { indexes: { ...indexes, more: 'x' } },
      { indexes: { by: 'Z' } },
    ];
    for (const more of others) expect(endsWithKeys(stored(document, more), text), JSON.stringify(more)).toBe(false);
    const deceptive = [
      { a: 1, indexes },
      { a: { b: 1, indexes } },
      [1, text],
      `x${text}`,
      { a: text.slice(0, -1) },
      {},
    ];
    for (const value of deceptive) expect(endsWithKeys(stored(value), text), JSON.stringify(value)).toBe(false);
    // without indexes, others could stand before what they end with
    expect(endsWithKeys(stored(document, keys), keysText({ unique: keys.unique }))).toBe(false);
    expect(endsWithKeys(stored(document), keysText({}))).toBe(false);
    expect(endsWithKeys(pack({ version: 1, document: `{${text}` }), text)).toBe(false);
  });

  it('that is none has no version which a precondition could name', () => {
    expect(versionOf(Buffer.from('{"document":{}}'), place)).toBe(0);
  });
});
