import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Position, readLines } from '../../src/cli/import/reading/read-lines.ts';

async function* inBlocks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, size: number, from: Position = { offset: 0, line: 0 }) {
  const lines: string[] = [];
  const pauses: { position: Position; lines: number }[] = [];
  const end = await readLines(inBlocks(bytes.subarray(from.offset), size), from, {
    line: (block, start, stop, position) => {
      lines.push(`${position.line} ${position.offset} ${block.toString('utf8', start, stop)}`);
    },
    pause: (position) => {
      pauses.push({ position: { ...position }, lines: lines.length });
      return undefined;
    },
  });
  return { lines, pauses, end };
}

describe('readLines', () => {
  it('numbers lines and bytes, with and without carriage returns and a last line end', async () => {
    const { lines, end } = await read(Buffer.from('one\r\n\ntwo'), 1000);
    expect(lines).toEqual(['1 0 one', '2 5 ', '3 6 two']);
    expect(end).toEqual({ offset: 9, line: 3 });
  });

  it('reads the same in blocks of any size, and from every place where it paused', async () => {
    const text = fc.array(fc.string({ unit: fc.constantFrom('a', 'ä', '\r', ' '), maxLength: 5 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), fc.integer({ min: 1, max: 20 }), async (rows, ends, size) => {
        const bytes = Buffer.from(rows.join('\n') + (ends ? '\n' : ''));
        const whole = await read(bytes, 1000);
        const { lines, pauses, end } = await read(bytes, size);
        expect(lines).toEqual(whole.lines);
        expect(end).toEqual(whole.end);
        expect(end.offset).toBe(bytes.length);
        for (const pause of pauses) {
          const rest = await read(bytes, size, pause.position);
          expect(rest.lines).toEqual(lines.slice(pause.lines));
        }
      }),
    );
  });

  it('refuses a line without end', async () => {
    await expect(read(Buffer.alloc(5 * 2 ** 20, 'x'), 2 ** 20)).rejects.toThrow('line 1 is longer than 4 MiB');
  });
});
