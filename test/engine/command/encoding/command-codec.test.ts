import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackedChange, PackedCommand } from '../../../../engine/command/command.ts';
import { ByteWriter } from '../../../../engine/command/encoding/byte-writer.ts';
import {
  decodeCommand,
  decodeCommands,
  encodeCommand,
  splitCommands,
  writeCommand,
} from '../../../../engine/command/encoding/command-codec.ts';
import { requireWhole } from '../../../../engine/command/packed-tuples.ts';
import type { Tuple } from '../../../../engine/tuple.ts';
import { seed } from '../../../generated/seed.ts';
import { changes, command } from './commands.ts';

const HEAD_BYTES = 7;
const corrupt = expect.objectContaining({ name: 'EngineError', code: 'corrupt' });
const of = (change: PackedChange): PackedCommand => ({ id: 'c', time: 1, changes: [change] });
const tuple = { object: 'doc:1', relation: 'viewer', subject: 'user:u' };

/** Some of everything, as one command. */
const whole: PackedCommand = {
  id: '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
  time: 1_700_000_000_000,
  preconditions: [{ require: 'record_version', store: 's', collection: 'notes', id: 'n', version: 3 }],
  changes: [
    {
      op: 'write_tuples',
      store: 's',
      tuples: [tuple, { ...tuple, condition: { name: 'c', context: { a: [1, 'ü'] } } }],
    },
    { op: 'put_record', store: 's', record: { collection: 'notes', id: 'n', json: '{"a":1}', indexes: { by: 'x' } } },
    { op: 'append_chained', store: 's', chain: 'notes', entry: 'n', digest: new Uint8Array(32).fill(7) },
    {
      op: 'write_model',
      store: 's',
      model: { id: 'm', source: { dsl: 'd' }, json: { types: {} }, kinds: [['doc', '']] },
    },
    { op: 'sweep_expired', limit: 10 },
  ],
};

describe('an encoded command', () => {
  it.each(Object.entries(changes))('is the same again with %s', (_name, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (change) => {
        expect(decodeCommand(encodeCommand(of(change)))).toEqual(of(change));
      }),
      { numRuns: 100, seed },
    );
  });

  it('is the same again with preconditions and several changes, and always the same bytes', () => {
    fc.assert(
      fc.property(command, (given) => {
        const bytes = encodeCommand(given);
        const decoded = decodeCommand(bytes);
        expect(decoded).toEqual(given);
        expect(encodeCommand(decoded)).toEqual(bytes);
      }),
      { numRuns: 300, seed },
    );
  });

  it('has columns of tuples that still fit together', () => {
    fc.assert(
      fc.property(changes.write_packed, (change) => {
        const [decoded] = decodeCommand(encodeCommand(of(change))).changes;
        if (decoded?.op !== 'write_packed') throw new Error('it is another change');
        requireWhole(decoded.packed);
      }),
      { numRuns: 50, seed },
    );
  });

  it('stands beside others, in order', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 5 }), (given) => {
        const writer = new ByteWriter();
        for (const each of given) writeCommand(writer, each);
        const bytes = writer.take();
        expect(decodeCommands(bytes)).toEqual(given);
        expect(splitCommands(bytes).map(decodeCommand)).toEqual(given);
      }),
      { numRuns: 50, seed },
    );
  });

  it('is the same again where its texts are too long to be cut from one', () => {
    for (const unit of ['a', 'ü', '€']) {
      const json = JSON.stringify(unit.repeat(100_000));
      const given = of({ op: 'put_record', store: 's', record: { collection: 'c', id: unit, json } });
      expect(decodeCommand(encodeCommand(given))).toEqual(given);
    }
  });

  it('is read from the middle of a larger block', () => {
    const bytes = encodeCommand(whole);
    const larger = new Uint8Array(bytes.length + 9);
    larger.set(bytes, 5);
    expect(decodeCommand(larger.subarray(5, 5 + bytes.length))).toEqual(whole);
  });

  it('begins with the mark and the version of its encoding', () => {
    // a change of these bytes is another version
    expect(Buffer.from(encodeCommand(of({ op: 'create_store', store: 'ü€' }))).toString('hex')).toBe(
      '52430112000000000263000000000000f03f010c05fc00ac20',
    );
  });
});

describe('a command that cannot be encoded', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;
  const withContext = (at: unknown) =>
    of({ op: 'write_tuples', store: 's', tuples: [{ ...tuple, condition: { name: 'c', context: { at } } }] });
  const withTuple = (more: object) => of({ op: 'write_tuples', store: 's', tuples: [{ ...tuple, ...more } as Tuple] });

  it.each([
    { name: 'a function', given: withContext(() => 'a function') },
    { name: 'a symbol', given: withContext(Symbol('s')) },
    { name: 'a map', given: withContext(new Map()) },
    { name: 'a circle', given: withContext(circle) },
    { name: 'a text that is none', given: withTuple({ object: 7 }) },
    { name: 'an expiry that is no number', given: withTuple({ expiresAt: 'soon' }) },
    { name: 'no tuples', given: of({ op: 'write_tuples', store: 's' } as never) },
    { name: 'a change that is unknown', given: of({ op: 'forget', store: 's' } as never) },
    {
      name: 'a digest that is no bytes',
      given: of({ op: 'append_chained', store: 's', chain: 'c', entry: 'e', digest: 'd' } as never),
    },
  ])('is refused: $name', ({ given }) => {
    expect(() => encodeCommand(given)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    const writer = new ByteWriter();
    writeCommand(writer, whole);
    expect(() => writeCommand(writer, given)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    expect(decodeCommands(writer.take())).toEqual([whole]);
  });
});

describe('bytes that are damaged', () => {
  const bytes = encodeCommand(whole);

  it('are refused wherever they are cut off', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeCommand(bytes.subarray(0, length)), `${length} bytes`).toThrow(corrupt);
    }
  });

  it('are refused where they are cut off and the length says so', () => {
    for (let length = HEAD_BYTES; length < bytes.length; length++) {
      const cut = Buffer.from(bytes.slice(0, length));
      cut.writeUInt32LE(length - HEAD_BYTES, 3);
      expect(() => decodeCommand(cut), `${length} bytes`).toThrow(corrupt);
    }
  });

  it('are refused with anything after the command', () => {
    expect(() => decodeCommand(Buffer.concat([bytes, Buffer.from([0])]))).toThrow(corrupt);
    expect(() => decodeCommand(Buffer.concat([bytes, bytes]))).toThrow(corrupt);
    const longer = Buffer.concat([bytes, Buffer.from([0])]);
    longer.writeUInt32LE(longer.length - HEAD_BYTES, 3);
    expect(() => decodeCommand(longer)).toThrow(corrupt);
  });

  it('give none of the commands before them', () => {
    expect(() => decodeCommands(Buffer.concat([bytes, bytes.subarray(0, 20)]))).toThrow(corrupt);
  });

  it.each([
    { name: 'JSON', given: Buffer.from('{"id":"c"}') },
    { name: 'zeros', given: new Uint8Array(64) },
    { name: 'another version', given: Buffer.concat([Buffer.from([0x52, 0x43, 2]), bytes.subarray(3)]) },
  ])('are refused: $name', ({ given }) => {
    expect(() => decodeCommand(given)).toThrow(corrupt);
  });

  it('never end in any other error, and never in what is no command', () => {
    const places = fc.array(fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(places, (changed) => {
        const given = bytes.slice();
        for (const [at, byte] of changed) given[at] = byte;
        let decoded: PackedCommand;
        try {
          decoded = decodeCommand(given);
        } catch (error) {
          expect(error).toEqual(corrupt);
          return;
        }
        // another text or number is a command; the kinds of all its parts are known
        expect(decodeCommand(encodeCommand(decoded))).toEqual(decoded);
      }),
      { numRuns: 3_000, seed },
    );
  });

  it('make nothing large of large counts', () => {
    const model = { id: 'm', source: { dsl: '' }, json: null, kinds: [] };
    const given = encodeCommand(of({ op: 'write_model', store: 's', model }));
    const upToJson = given.subarray(0, given.length - 2);
    // lists in lists, each of as many elements as there are bytes
    const lists = Buffer.alloc(1_000_000, Buffer.from([9, 0xff, 0xff, 0x1f]));
    const claimed = Buffer.concat([upToJson, lists]);
    claimed.writeUInt32LE(claimed.length - HEAD_BYTES, 3);
    const before = process.memoryUsage().rss;
    expect(() => decodeCommand(claimed)).toThrow(corrupt);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 2 ** 20);
  });
});
