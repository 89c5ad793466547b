import { EngineError, type Tuple, TuplePacker } from '#engine';
import { tupleParts } from './reading/scan-tuple.ts';

/** What the model says of all tuples of one shape that have no condition. */
interface Judged {
  /** `type#relation@type#relation`, for the comparison after the hash. */
  readonly text: Uint8Array;
  /** -1 where they are refused. */
  readonly shape: number;
  /** Why the model does not accept them. */
  readonly refusal: string | undefined;
}

const HASH = 0x23;
const AT = 0x40;
const STAR = 0x2a;
const SHAPE_BYTES_MAX = 4 * 254 + 3;

/**
 * Packs the tuples of an import. The model is asked once for each shape, not for each tuple: whether it accepts a
 * tuple without a condition depends on nothing else.
 */
export class TupleCollector {
  readonly packer = new TuplePacker();
  readonly #require: (tuple: Tuple) => void;
  readonly #judged = new Map<number, Judged>();
  readonly #scratch = Buffer.allocUnsafe(SHAPE_BYTES_MAX);

  /** `require` throws for a tuple that the model does not accept. */
  constructor(require: (tuple: Tuple) => void) {
    this.#require = require;
  }

  /** Throws `EngineError`. */
  add(tuple: Tuple): void {
    this.#require(tuple);
    this.packer.add(tuple);
  }

  /** Adds what `scanTuple` found in these bytes. Answers why not, where the model does not accept it. */
  addScanned(bytes: Uint8Array): string | undefined {
    const judged = this.#judge(bytes);
    if (judged.refusal !== undefined) return judged.refusal;
    const { object, objectEnd, subject, nameEnd } = tupleParts;
    this.packer.addBytes(judged.shape, bytes, object, objectEnd, subject, nameEnd);
    return undefined;
  }

  #judge(bytes: Uint8Array): Judged {
    const length = this.#writeShape(bytes);
    const text = this.#scratch;
    let hash = 0x811c9dc5;
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (text[i] as number), 0x01000193);
    const known = this.#judged.get(hash);
    if (known !== undefined && isSame(known.text, text, length)) return known;
    const judged = this.#ask(text.toString('latin1', 0, length));
    if (known === undefined) this.#judged.set(hash, judged);
    return judged;
  }

  #writeShape(bytes: Uint8Array): number {
    let length = this.#copy(bytes, tupleParts.object, tupleParts.objectColon, 0);
    this.#scratch[length++] = HASH;
    length = this.#copy(bytes, tupleParts.relation, tupleParts.relationEnd, length);
    this.#scratch[length++] = AT;
    length = this.#copy(bytes, tupleParts.subject, tupleParts.subjectColon, length);
    this.#scratch[length++] = HASH;
    if (tupleParts.nameEnd >= tupleParts.subject)
      return this.#copy(bytes, tupleParts.nameEnd + 1, tupleParts.subjectEnd, length);
    this.#scratch[length++] = STAR;
    return length;
  }

  #copy(bytes: Uint8Array, start: number, end: number, to: number): number {
    let at = to;
    for (let i = start; i < end; i++) this.#scratch[at++] = bytes[i] as number;
    return at;
  }

  #ask(text: string): Judged {
    const [left = '', right = ''] = text.split('@');
    const [type = '', relation = ''] = left.split('#');
    const [subjectType = '', subjectRelation = ''] = right.split('#');
    const suffix = subjectRelation === '' || subjectRelation === '*' ? '' : `#${subjectRelation}`;
    const subject = subjectRelation === '*' ? `${subjectType}:*` : `${subjectType}:x${suffix}`;
    const refusal = refusalOf(() => this.#require({ object: `${type}:x`, relation, subject }));
    // the writer refuses a block with a shape that it does not know, whether or not a tuple has it
    const shape = refusal === undefined ? this.packer.shape(type, relation, subjectType, subjectRelation) : -1;
    return { text: Buffer.from(text, 'latin1'), shape, refusal };
  }
}

/** The message of the `EngineError` that a task throws. */
export function refusalOf(task: () => void): string | undefined {
  try {
    task();
    return undefined;
  } catch (error) {
    if (error instanceof EngineError) return error.message;
    throw error;
  }
}

function isSame(known: Uint8Array, text: Uint8Array, length: number): boolean {
  if (known.length !== length) return false;
  for (let i = 0; i < length; i++) if (known[i] !== text[i]) return false;
  return true;
}
