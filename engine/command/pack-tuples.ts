import { EngineError } from '../errors.ts';
import { ID_BYTES_MAX, parseObject, parseSubject, requireRelation, type Tuple } from '../tuple.ts';
import { NameSet, widened } from './name-set.ts';
import { NO_NAME, type PackedQualifier, type PackedTuples, type TupleShape } from './packed-tuples.ts';

const START_TUPLES = 1024;
const SHAPES_MAX = 0xffff;
/** A type of 254 characters and an id of 256 bytes. */
const NAME_BYTES_MAX = 254 * 3 + 1 + ID_BYTES_MAX;
const STARTS_MAX = 24;

/** How the texts of a shape's tuples begin and end. */
interface ShapeStart {
  readonly object: string;
  /** Undefined for a shape that is not for `#addPlain`. */
  readonly relation: string | undefined;
  readonly subject: string;
  readonly suffix: string;
}

/** Collects tuples for one `write_packed` change. */
export class TuplePacker {
  readonly #names = new NameSet();
  readonly #shapeNumbers = new Map<string, number>();
  readonly #shapes: TupleShape[] = [];
  readonly #starts: ShapeStart[] = [];
  #objects = new Uint32Array(START_TUPLES);
  #subjects = new Uint32Array(START_TUPLES);
  #shapeOf = new Uint16Array(START_TUPLES);
  #qualifiers: [number, PackedQualifier][] = [];
  /** Room for two names. */
  readonly #scratch = Buffer.allocUnsafe(NAME_BYTES_MAX * 2);
  /** Tuples since the last `take`. */
  count = 0;

  /** Throws `invalid_tuple`; whether a model allows the tuple is not asked here. */
  add(tuple: Tuple): void {
    if (this.#addPlain(tuple)) return;
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
    this.#learn({ type, relation, subjectType, subjectRelation });
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

  /** For `#addPlain`: shapes by number, up to as many as are found faster by looking at each. */
  #learn({ type, relation, subjectType, subjectRelation }: TupleShape): void {
    if (this.#starts.length >= STARTS_MAX) return;
    const isPlain = /^[!-~]*$/.test(type + subjectType) && subjectRelation !== '*';
    this.#starts.push({
      object: `${type}:`,
      relation: isPlain ? relation : undefined,
      subject: `${subjectType}:`,
      suffix: subjectRelation === '' ? '' : `#${subjectRelation}`,
    });
  }

  /**
   * The same for nearly all tuples, at a third of the time: of a shape that was seen before, without condition and
   * expiry, in ASCII. False, with nothing added, for every other one.
   */
  #addPlain({ object, relation, subject, condition, expiresAt }: Tuple): boolean {
    if (condition !== undefined || expiresAt !== undefined) return false;
    const hash = subject.indexOf('#');
    const end = hash < 0 ? subject.length : hash;
    for (let shape = 0; shape < this.#starts.length; shape++) {
      const start = this.#starts[shape] as ShapeStart;
      if (start.relation !== relation || !object.startsWith(start.object) || !subject.startsWith(start.subject))
        continue;
      if (subject.length - end !== start.suffix.length || !subject.endsWith(start.suffix)) continue;
      const objectEnd = this.#writePlain(object, start.object.length, object.length, 0);
      const subjectEnd = objectEnd < 0 ? -1 : this.#writePlain(subject, start.subject.length, end, objectEnd);
      if (subjectEnd < 0) return false;
      const name = this.#names.add(this.#scratch, 0, objectEnd);
      this.#push(shape, name, this.#names.add(this.#scratch, objectEnd, subjectEnd));
      return true;
    }
    return false;
  }

  /** Puts a name into the scratch buffer, and answers where it ends; -1 where its id needs a closer look. */
  #writePlain(text: string, idStart: number, end: number, to: number): number {
    if (end - idStart > ID_BYTES_MAX || end === idStart) return -1;
    const scratch = this.#scratch;
    let at = to;
    for (let i = 0; i < idStart; i++) scratch[at++] = text.charCodeAt(i);
    for (let i = idStart; i < end; i++) {
      const code = text.charCodeAt(i);
      // not: white space, controls, #, *, beyond ASCII
      if (code <= 0x20 || code >= 0x7f || code === 0x23 || code === 0x2a) return -1;
      scratch[at++] = code;
    }
    return at;
  }

  #nameOf(name: string): number {
    return this.#names.add(this.#scratch, 0, this.#scratch.write(name, 'utf8'));
  }

  #push(shape: number, object: number, subject: number): void {
    const index = this.count++;
    if (index === this.#objects.length) {
      this.#objects = widened(this.#objects, new Uint32Array(index * 2));
      this.#subjects = widened(this.#subjects, new Uint32Array(index * 2));
      this.#shapeOf = widened(this.#shapeOf, new Uint16Array(index * 2));
    }
    this.#objects[index] = object;
    this.#subjects[index] = subject;
    this.#shapeOf[index] = shape;
  }
}
