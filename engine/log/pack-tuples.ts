import { Packr } from 'msgpackr';
import { EngineError } from '../errors.ts';
import type { Tuple } from '../tuple.ts';

const packr = new Packr({ useRecords: false });
const START_BYTES = 64 * 1024;

/**
 * Tuples as one transferable block, `[length u16][bytes]` for object, relation and subject, then a msgpack block of
 * the condition and the expiry (length 0 where there is neither). Cloning ten thousand small objects from one thread
 * to another costs several times what packing and reading them back does.
 */
export class TuplePacker {
  #bytes = Buffer.allocUnsafe(START_BYTES);
  #length = 0;
  count = 0;

  get byteLength(): number {
    return this.#length;
  }

  add(tuple: Tuple): void {
    this.#put(tuple.object);
    this.#put(tuple.relation);
    this.#put(tuple.subject);
    const { condition, expiresAt } = tuple;
    const rest = condition === undefined && expiresAt === undefined ? undefined : packr.pack({ condition, expiresAt });
    this.#reserve(2 + (rest?.length ?? 0));
    this.#length = this.#bytes.writeUInt16BE(rest?.length ?? 0, this.#length);
    if (rest !== undefined) this.#length += rest.copy(this.#bytes, this.#length);
    this.count++;
  }

  /** The block so far, in memory of its own; the packer starts anew. */
  take(): Uint8Array {
    const block = Uint8Array.prototype.slice.call(this.#bytes, 0, this.#length);
    this.#length = 0;
    this.count = 0;
    return block;
  }

  #put(text: string): void {
    this.#reserve(2 + text.length * 3);
    const written = this.#bytes.write(text, this.#length + 2, 'utf8');
    this.#bytes.writeUInt16BE(written, this.#length);
    this.#length += 2 + written;
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** The tuples of a block. Throws `invalid_argument` where the block is cut short. */
export function unpackTuples(block: Uint8Array): Tuple[] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const tuples: Tuple[] = [];
  let at = 0;
  const take = (): Buffer => {
    const end = at + 2 <= bytes.length ? at + 2 + bytes.readUInt16BE(at) : Number.POSITIVE_INFINITY;
    if (end > bytes.length) throw new EngineError('invalid_argument', 'a block of packed tuples is cut short');
    const field = bytes.subarray(at + 2, end);
    at = end;
    return field;
  };
  while (at < bytes.length) {
    const object = take().toString('utf8');
    const relation = take().toString('utf8');
    const subject = take().toString('utf8');
    const rest = take();
    tuples.push(
      rest.length === 0
        ? { object, relation, subject }
        : { object, relation, subject, ...(packr.unpack(rest) as Pick<Tuple, 'condition' | 'expiresAt'>) },
    );
  }
  return tuples;
}
