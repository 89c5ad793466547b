import { EngineError } from '../errors.ts';
import { parseObject, parseSubject, requireRelation, type Tuple } from '../tuple.ts';
import { NameSet, widened } from './name-set.ts';
import { NO_NAME, type PackedQualifier, type PackedTuples, type TupleShape } from './packed-tuples.ts';

const START_TUPLES = 1024;
const SHAPES_MAX = 0xffff;
/** A type of 254 characters and an id of 256 bytes. */
const NAME_BYTES_MAX = 254 * 3 + 1 + 256;

/** Collects tuples for one `write_packed` change. */
export class TuplePacker {
  readonly #names = new NameSet();
  readonly #shapeNumbers = new Map<string, number>();
  readonly #shapes: TupleShape[] = [];
  #objects = new Uint32Array(START_TUPLES);
  #subjects = new Uint32Array(START_TUPLES);
  #shapeOf = new Uint16Array(START_TUPLES);
  #qualifiers: [number, PackedQualifier][] = [];
  readonly #scratch = Buffer.allocUnsafe(NAME_BYTES_MAX);
  /** Tuples since the last `take`. */
  count = 0;

  /** Throws `invalid_tuple`; whether a model allows the tuple is not asked here. */
  add(tuple: Tuple): void {
    const object = parseObject(tuple.object);
    requireRelation(tuple.relation);
    const subject = parseSubject(tuple.subject);
    const shape = this.shape(object.type, tuple.relation, subject.type, subject.relation);
    const objectName = this.#nameOf(tuple.object);
    const subjectName = subject.relation === '*' ? NO_NAME : this.#nameOf(`${subject.type}:${subject.id}`);
    const { condition, expiresAt } = tuple;
    if (condition !== undefined || expiresAt !== undefined) {
      this.#qualifiers.push([
        this.count,
        { ...(condition === undefined ? {} : { condition }), ...(expiresAt === undefined ? {} : { expiresAt }) },
      ]);
    }
    this.#push(shape, objectName, subjectName);
  }

  /** The number of a shape. It stays the same after `take`. */
  shape(type: string, relation: string, subjectType: string, subjectRelation: string): number {
    const text = `${type}#${relation}@${subjectType}#${subjectRelation}`;
    const known = this.#shapeNumbers.get(text);
    if (known !== undefined) return known;
    if (this.#shapes.length > SHAPES_MAX) throw new EngineError('too_large', 'too many shapes in one block of tuples');
    this.#shapes.push({ type, relation, subjectType, subjectRelation });
    this.#shapeNumbers.set(text, this.#shapes.length - 1);
    return this.#shapes.length - 1;
  }

  /**
   * For a reader that has found the parts in bytes and knows them to be well-formed: `source[from..to)` are names
   * `type:id`. A subject that ends before it starts is a wildcard.
   */
  addBytes(shape: number, source: Uint8Array, object: number, objectEnd: number, subject: number, subjectEnd: number) {
    const objectName = this.#names.add(source, object, objectEnd);
    this.#push(shape, objectName, subjectEnd < subject ? NO_NAME : this.#names.add(source, subject, subjectEnd));
  }

  /** The tuples so far, in memory of their own; the packer starts anew. */
  take(): PackedTuples {
    const packed: PackedTuples = {
      shapes: [...this.#shapes],
      ...this.#names.take(),
      objects: this.#objects.slice(0, this.count),
      subjects: this.#subjects.slice(0, this.count),
      shapeOf: this.#shapeOf.slice(0, this.count),
      qualifiers: this.#qualifiers,
    };
    this.#qualifiers = [];
    this.#objects = new Uint32Array(START_TUPLES);
    this.#subjects = new Uint32Array(START_TUPLES);
    this.#shapeOf = new Uint16Array(START_TUPLES);
    this.count = 0;
    return packed;
  }

  #nameOf(name: string): number {
    return this.#names.add(this.#scratch, 0, this.#scratch.write(name, 'utf8'));
  }

  #push(shape: number, object: number, subject: number): void {
    const place = this.count++;
    if (place === this.#objects.length) {
      this.#objects = widened(this.#objects, new Uint32Array(place * 2));
      this.#subjects = widened(this.#subjects, new Uint32Array(place * 2));
      this.#shapeOf = widened(this.#shapeOf, new Uint16Array(place * 2));
    }
    this.#objects[place] = object;
    this.#subjects[place] = subject;
    this.#shapeOf[place] = shape;
  }
}
