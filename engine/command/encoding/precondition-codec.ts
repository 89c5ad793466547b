import type { Precondition } from '../command.ts';
import { type ByteReader, damaged } from './byte-reader.ts';
import { type ByteWriter, unencodable } from './byte-writer.ts';
import { readTuple, writeTuple } from './tuple-codec.ts';

/** A precondition is its index here, the store, and what it is about. */
const kinds = [
  'tuple_exists',
  'tuple_absent',
  'record_absent',
  'record_version',
  'latest_model',
  'records_at_most',
] as const;

export function writePrecondition(writer: ByteWriter, precondition: Precondition): void {
  const kind = kinds.indexOf(precondition.require);
  if (kind < 0) throw unencodable(`there is no precondition ${precondition.require}`);
  writer.byte(kind);
  writer.text(precondition.store);
  switch (precondition.require) {
    case 'tuple_exists':
    case 'tuple_absent':
      return writeTuple(writer, precondition.tuple);
    case 'record_absent':
    case 'record_version':
      writer.text(precondition.collection);
      writer.text(precondition.id);
      return precondition.require === 'record_version' ? writer.number(precondition.version) : undefined;
    case 'latest_model':
      return writer.optionalText(precondition.modelId ?? undefined);
    case 'records_at_most':
      writer.text(precondition.collection);
      writer.optionalText(precondition.key?.index);
      if (precondition.key !== undefined) writer.text(precondition.key.text);
      writer.optionalText(precondition.except);
      return writer.number(precondition.max);
  }
}

export function readPrecondition(reader: ByteReader): Precondition {
  const require = kinds[reader.byte()];
  if (require === undefined) throw damaged('there is no such precondition');
  const store = reader.text();
  switch (require) {
    case 'tuple_exists':
    case 'tuple_absent':
      return { require, store, tuple: readTuple(reader) };
    case 'record_absent':
      return { require, store, collection: reader.text(), id: reader.text() };
    case 'record_version':
      return { require, store, collection: reader.text(), id: reader.text(), version: reader.number() };
    case 'latest_model':
      return { require, store, modelId: reader.optionalText() ?? null };
    case 'records_at_most': {
      const collection = reader.text();
      const index = reader.optionalText();
      const key = index === undefined ? undefined : { index, text: reader.text() };
      return { require, store, collection, key, except: reader.optionalText(), max: reader.number() };
    }
  }
}
