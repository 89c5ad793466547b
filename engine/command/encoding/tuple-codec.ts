import type { Tuple, TupleCondition } from '../../tuple.ts';
import type { PackedQualifier, PackedTuples, TupleShape } from '../packed-tuples.ts';
import { type ByteReader, damaged } from './byte-reader.ts';
import { type ByteWriter, unencodable } from './byte-writer.ts';
import { readList, readValue, writeValue } from './plain-value.ts';

const CONDITION = 1;
const CONTEXT = 2;
const EXPIRY = 4;

export function writeTuples(writer: ByteWriter, tuples: readonly Tuple[]): void {
  writer.count(tuples.length);
  for (const tuple of tuples) writeTuple(writer, tuple);
}

export function readTuples(reader: ByteReader): Tuple[] {
  return readList(reader, () => readTuple(reader));
}

export function writeTuple(writer: ByteWriter, tuple: Tuple): void {
  writer.text(tuple.object);
  writer.text(tuple.relation);
  writer.text(tuple.subject);
  writeQualifier(writer, tuple);
}

export function readTuple(reader: ByteReader): Tuple {
  const object = reader.text();
  const relation = reader.text();
  const subject = reader.text();
  const flags = reader.byte();
  return flags === 0 ? { object, relation, subject } : { object, relation, subject, ...readQualifier(reader, flags) };
}

/** `[flags u8]` and what they say. */
function writeQualifier(writer: ByteWriter, { condition, expiresAt }: PackedQualifier): void {
  if (condition === undefined && expiresAt === undefined) return writer.byte(0);
  writer.byte(
    (condition === undefined ? 0 : CONDITION) |
      (condition?.context === undefined ? 0 : CONTEXT) |
      (expiresAt === undefined ? 0 : EXPIRY),
  );
  if (condition !== undefined) writer.text(condition.name);
  if (condition?.context !== undefined) writeValue(writer, condition.context);
  if (expiresAt !== undefined) writer.number(expiresAt);
}

function readQualifier(reader: ByteReader, flags: number): PackedQualifier {
  if (flags > (CONDITION | CONTEXT | EXPIRY)) throw damaged('a tuple has unknown flags');
  const name = (flags & CONDITION) === 0 ? undefined : reader.ownText();
  const context = (flags & CONTEXT) === 0 ? undefined : (readValue(reader) as TupleCondition['context']);
  const expiresAt = (flags & EXPIRY) === 0 ? undefined : reader.number();
  if (name === undefined) return expiresAt === undefined ? {} : { expiresAt };
  const condition = context === undefined ? { name } : { name, context };
  return expiresAt === undefined ? { condition } : { condition, expiresAt };
}

/** The columns as they are in memory: little-endian, as on every platform that is supported. */
export function writePacked(writer: ByteWriter, packed: PackedTuples): void {
  writer.count(packed.shapes.length);
  for (const { type, relation, subjectType, subjectRelation } of packed.shapes) {
    for (const text of [type, relation, subjectType, subjectRelation]) writer.text(text);
  }
  for (const column of [packed.names, packed.nameEnds, packed.objects, packed.subjects, packed.shapeOf]) {
    if (!ArrayBuffer.isView(column)) throw unencodable('a column of packed tuples is missing');
    writer.bytes(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  }
  writer.count(packed.qualifiers.length);
  for (const [index, qualifier] of packed.qualifiers) {
    writer.count(index);
    writeQualifier(writer, qualifier);
  }
}

/** Whether the columns fit together is seen where they are applied (`requireWhole`). */
export function readPacked(reader: ByteReader): PackedTuples {
  return {
    shapes: readList(reader, () => readShape(reader)),
    names: reader.bytes(),
    nameEnds: words(reader.bytes()),
    objects: words(reader.bytes()),
    subjects: words(reader.bytes()),
    shapeOf: halfWords(reader.bytes()),
    qualifiers: readList(reader, (): [number, PackedQualifier] => [
      reader.count(),
      readQualifier(reader, reader.byte()),
    ]),
  };
}

function readShape(reader: ByteReader): TupleShape {
  const type = reader.ownText();
  const relation = reader.ownText();
  const subjectType = reader.ownText();
  return { type, relation, subjectType, subjectRelation: reader.ownText() };
}

function words({ buffer }: Uint8Array<ArrayBuffer>): Uint32Array {
  if (buffer.byteLength % 4 !== 0) throw damaged('a column is cut off');
  return new Uint32Array(buffer);
}

function halfWords({ buffer }: Uint8Array<ArrayBuffer>): Uint16Array {
  if (buffer.byteLength % 2 !== 0) throw damaged('a column is cut off');
  return new Uint16Array(buffer);
}
