import { describe, expect, test } from 'vitest';
import { Random } from '../../../../bench/data/random.ts';
import { HeadReader, KnownHeads } from '../../../../src/http/transport/socket/requests/head-reader.ts';
import type { KnownHead } from '../../../../src/http/transport/socket/requests/known-head.ts';
import { RecalledHead } from '../../../../src/http/transport/socket/requests/recalled-head.ts';
import { RequestHead } from '../../../../src/http/transport/socket/requests/request-head.ts';
import type { HeadNotes } from '../../../../src/http/transport/transport.ts';
import { seed } from '../../../generated/seed.ts';
import { fieldNames, RequestMutator } from '../mutated/request-mutator.ts';

const MEMORY_BYTES = 65_536;
const names = [...fieldNames, 'content-length', 'x-absent'];

/** Says whether it was recalled. */
class CountingHead extends RecalledHead {
  recalled = 0;

  override recall(known: KnownHead, octets: Buffer, from: number, until: number, memory: DataView): number {
    const end = super.recall(known, octets, from, until, memory);
    if (end > 0) this.recalled++;
    return end;
  }
}

/** Heads of one connection, each read by both readers from the same place in memory. */
class BothReaders {
  readonly head = new CountingHead();
  /** Of the head that was read last. */
  notes: HeadNotes | undefined;
  readonly #parsed = new RequestHead();
  readonly #memory = Buffer.allocUnsafeSlow(MEMORY_BYTES);
  readonly #heads = new KnownHeads(new DataView(this.#memory.buffer));
  #reader = new HeadReader(this.#heads);

  /** Another connection of the same thread. */
  connect(): void {
    this.#reader = new HeadReader(this.#heads);
  }

  read(octets: Buffer, offset: number): void {
    this.#memory.fill(0x41);
    octets.copy(this.#memory, offset);
    const piece = this.#memory.subarray(offset, offset + octets.length);
    const end = this.#parsed.parse(piece, 0, piece.length);
    const { head } = this;
    expect(this.#reader.read(head, piece, 0, piece.length)).toBe(end);
    if (end <= 0) return;
    const expected = saidBy(this.#parsed);
    expect(saidBy(head)).toEqual(expected);
    this.notes = head.notes;
    head.keep();
    this.#memory.fill(0);
    expect(saidBy(head)).toEqual(expected);
    head.clear();
  }
}

function saidBy(head: RequestHead): unknown {
  const { method, path, query, bodyLength, isOld, isLast, expectsContinue } = head;
  const fields = names.map((name) => head.header(name));
  return { method, path, query, bodyLength, isOld, isLast, expectsContinue, fields };
}

const withLength = (length: string, more = ''): Buffer =>
  Buffer.from(`POST /a?b HTTP/1.1\r\nHost: x\r\n${more}Content-Length: ${length}\r\nX-A: 1\r\n\r\n`, 'latin1');

describe('a head that comes again', () => {
  test('is known from the third time on, whatever its length is', () => {
    const both = new BothReaders();
    for (const length of ['11', '12', '10', '09', '99']) both.read(withLength(length), 3);
    expect(both.head.recalled).toBe(3);
  });

  test('is known beside another one', () => {
    const both = new BothReaders();
    for (let turn = 0; turn < 5; turn++) {
      both.read(withLength('9'), 8);
      both.read(withLength('10'), 5);
    }
    expect(both.head.recalled).toBe(7);
  });

  test.each(['1x', '1 ', ' 1', '-1', '+1', '1\0', '1\r'])('is another one where its length is %j', (length) => {
    const both = new BothReaders();
    for (let turn = 0; turn < 3; turn++) both.read(withLength('11'), turn);
    expect(both.head.recalled).toBe(1);
    both.read(withLength(length), 4);
    expect(both.head.recalled).toBe(1);
  });

  test('is not known where the memory ends in it', () => {
    const both = new BothReaders();
    const octets = withLength('11');
    for (let turn = 0; turn < 3; turn++) both.read(octets, MEMORY_BYTES - octets.length);
    for (let cut = 1; cut < octets.length; cut++) {
      both.read(octets.subarray(0, -cut), MEMORY_BYTES - octets.length + cut);
    }
    expect(both.head.recalled).toBeLessThanOrEqual(1);
  });

  test('has the same notes each time, and another head has others', () => {
    const both = new BothReaders();
    const notes = (octets: Buffer) => {
      for (let turn = 0; turn < 3; turn++) both.read(octets, turn);
      return both.notes;
    };
    const first = notes(withLength('11'));
    expect(first).toBeDefined();
    expect(notes(withLength('12'))).toBe(first);
    const other = notes(withLength('11', 'X-B: 1\r\n'));
    expect(other).toBeDefined();
    expect(other).not.toBe(first);
    expect(notes(withLength('13'))).toBe(first);
    both.connect();
    for (const length of ['11', '12']) {
      both.read(withLength(length), 0);
      expect(both.notes).toBeUndefined();
    }
  });

  const never = [
    { name: 'has chunks', given: 'POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n' },
    {
      name: 'waits to go on',
      given: 'POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n',
    },
    { name: 'is long', given: `GET /a HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(1_024)}\r\n\r\n` },
  ];
  test.each(never)('is not remembered where it $name', ({ given }) => {
    const both = new BothReaders();
    for (let turn = 0; turn < 5; turn++) both.read(Buffer.from(given), 0);
    expect(both.head.recalled).toBe(0);
  });

  test('is looked for no more where each head is another', () => {
    const both = new BothReaders();
    for (let turn = 0; turn < 20; turn++) both.read(withLength('11', `X-B: ${turn}\r\n`), 0);
    for (let turn = 0; turn < 5; turn++) both.read(withLength('11'), 0);
    expect(both.head.recalled).toBe(0);
  });
});

const REQUESTS = 4_000;
const VARIANTS = 8;

test(`a reader that knows heads reads as one that parses each (seed ${seed})`, () => {
  const random = new Random(seed);
  const mutator = new RequestMutator(seed);
  const both = new BothReaders();
  for (let request = 0; request < REQUESTS; request++) {
    const octets = Buffer.concat([...mutator.next()]);
    both.connect();
    for (let turn = 0; turn < VARIANTS; turn++) {
      const changed = Buffer.from(octets);
      // the first ones are alike, so that they are known
      if (turn > 2 && random.below(3) > 0) changed[random.below(changed.length)] = oneOf(random, changed);
      both.read(changed, random.below(64));
    }
  }
  expect(both.head.recalled).toBeGreaterThan(REQUESTS);
});

/** A digit, an octet that stands there, or any. */
function oneOf(random: Random, octets: Buffer): number {
  const chance = random.below(3);
  if (chance === 0) return 0x30 + random.below(10);
  return chance === 1 ? (octets[random.below(octets.length)] as number) : random.below(256);
}
