import type { ModelWrite, PackedChange, PackedRecord } from '../command.ts';
import type { ListingDefinition } from '../listing-definition.ts';
import { type ByteReader, damaged } from './byte-reader.ts';
import { type ByteWriter, unencodable } from './byte-writer.ts';
import { readList, readObject, readValue, writeValue } from './plain-value.ts';
import { readPacked, readTuples, writePacked, writeTuples } from './tuple-codec.ts';

type Op = PackedChange['op'];
type ChangeOf<Name extends Op> = Name extends 'suspend_subject' | 'restore_subject'
  ? Extract<PackedChange, { readonly subject: string }>
  : Extract<PackedChange, { readonly op: Name }>;

interface Codec<Name extends Op> {
  /** What stands for it in bytes. Never changed, and never given to another kind of change. */
  readonly tag: number;
  write(writer: ByteWriter, change: ChangeOf<Name>): void;
  read(reader: ByteReader): ChangeOf<Name>;
}

/** Everything that the encoding knows of one kind of change. */
const codecs: { readonly [Name in Op]: Codec<Name> } = {
  write_tuples: {
    tag: 1,
    write(writer, { store, modelId, tuples }) {
      writer.text(store);
      writer.optionalText(modelId);
      writeTuples(writer, tuples);
    },
    read(reader) {
      const store = reader.text();
      const modelId = reader.optionalText();
      const tuples = readTuples(reader);
      return modelId === undefined
        ? { op: 'write_tuples', store, tuples }
        : { op: 'write_tuples', store, tuples, modelId };
    },
  },
  delete_tuples: {
    tag: 2,
    write(writer, { store, tuples }) {
      writer.text(store);
      writeTuples(writer, tuples);
    },
    read: (reader) => ({ op: 'delete_tuples', store: reader.text(), tuples: readTuples(reader) }),
  },
  put_record: {
    tag: 3,
    write(writer, { store, record }) {
      writer.text(store);
      writer.text(record.collection);
      writer.text(record.id);
      writer.text(record.json);
      writeKeys(writer, record.indexes);
      writeKeys(writer, record.unique);
    },
    read(reader) {
      const store = reader.text();
      const collection = reader.text();
      const id = reader.text();
      const json = reader.text();
      const indexes = readKeys(reader);
      return { op: 'put_record', store, record: { collection, id, json, indexes, unique: readKeys(reader) } };
    },
  },
  delete_record: {
    tag: 4,
    write(writer, { store, collection, id }) {
      writer.text(store);
      writer.text(collection);
      writer.text(id);
    },
    read: (reader) => ({
      op: 'delete_record',
      store: reader.text(),
      collection: reader.text(),
      id: reader.text(),
    }),
  },
  append_chained: {
    tag: 5,
    write(writer, { store, chain, entry, digest }) {
      writer.text(store);
      writer.text(chain);
      writer.text(entry);
      writer.bytes(digest);
    },
    read: (reader) => ({
      op: 'append_chained',
      store: reader.text(),
      chain: reader.text(),
      entry: reader.text(),
      digest: reader.bytes(),
    }),
  },
  cut_chain: {
    tag: 6,
    write(writer, { store, chain, through }) {
      writer.text(store);
      writer.text(chain);
      writer.number(through);
    },
    read: (reader) => ({ op: 'cut_chain', store: reader.text(), chain: reader.text(), through: reader.number() }),
  },
  write_packed: {
    tag: 7,
    write(writer, { store, modelId, packed }) {
      writer.text(store);
      writer.optionalText(modelId);
      writePacked(writer, packed);
    },
    read(reader) {
      const store = reader.ownText();
      const modelId = reader.optionalText();
      const packed = readPacked(reader);
      return modelId === undefined
        ? { op: 'write_packed', store, packed }
        : { op: 'write_packed', store, packed, modelId };
    },
  },
  delete_object: {
    tag: 8,
    write(writer, { store, object }) {
      writer.text(store);
      writer.text(object);
    },
    read: (reader) => ({ op: 'delete_object', store: reader.text(), object: reader.text() }),
  },
  suspend_subject: subjectCodec('suspend_subject', 9),
  restore_subject: subjectCodec('restore_subject', 10),
  write_model: {
    tag: 11,
    write(writer, { store, model: { id, source, json, kinds } }) {
      writer.text(store);
      writer.text(id);
      writeValue(writer, source);
      writeValue(writer, json);
      writer.count(kinds.length);
      for (const [type, relation] of kinds) {
        writer.text(type);
        writer.text(relation);
      }
    },
    read(reader) {
      const store = reader.ownText();
      const id = reader.ownText();
      const source = readValue(reader) as ModelWrite['source'];
      const json = readValue(reader);
      const kinds = readList(reader, (): [string, string] => [reader.ownText(), reader.ownText()]);
      return { op: 'write_model', store, model: { id, source, json, kinds } };
    },
  },
  create_store: {
    tag: 12,
    write: (writer, { store }) => writer.text(store),
    read: (reader) => ({ op: 'create_store', store: reader.ownText() }),
  },
  delete_store: {
    tag: 13,
    write: (writer, { store }) => writer.text(store),
    read: (reader) => ({ op: 'delete_store', store: reader.ownText() }),
  },
  sweep_store: {
    tag: 14,
    write(writer, { storeNumber, limit }) {
      writer.number(storeNumber);
      writer.number(limit);
    },
    read: (reader) => ({ op: 'sweep_store', storeNumber: reader.number(), limit: reader.number() }),
  },
  sweep_expired: {
    tag: 15,
    write: (writer, { limit }) => writer.number(limit),
    read: (reader) => ({ op: 'sweep_expired', limit: reader.number() }),
  },
  trim_log: {
    tag: 16,
    write(writer, { before, limit }) {
      writer.number(before);
      writer.number(limit);
    },
    read: (reader) => ({ op: 'trim_log', before: reader.number(), limit: reader.number() }),
  },
  append_record: {
    tag: 17,
    write(writer, { store, collection, json }) {
      writer.text(store);
      writer.text(collection);
      writer.text(json);
    },
    read: (reader) => ({
      op: 'append_record',
      store: reader.text(),
      collection: reader.text(),
      json: reader.text(),
    }),
  },
  define_listing: {
    tag: 18,
    write: (writer, { definition }) => writeValue(writer, definition),
    read: (reader) => ({ op: 'define_listing', definition: readValue(reader) as ListingDefinition }),
  },
  build_listings: {
    tag: 19,
    write: (writer, { limit }) => writer.number(limit),
    read: (reader) => ({ op: 'build_listings', limit: reader.number() }),
  },
};

const byTag: readonly (Codec<Op> | undefined)[] = Object.values(codecs).reduce<(Codec<Op> | undefined)[]>(
  (table, codec) => {
    table[codec.tag] = codec as Codec<Op>;
    return table;
  },
  [],
);

export function writeChange(writer: ByteWriter, change: PackedChange): void {
  const codec = codecs[change.op] as Codec<Op> | undefined;
  if (codec === undefined) throw unencodable(`there is no change ${String(change.op)}`);
  writer.byte(codec.tag);
  codec.write(writer, change);
}

export function readChange(reader: ByteReader): PackedChange {
  const tag = reader.byte();
  const codec = byTag[tag];
  if (codec === undefined) throw damaged(`there is no change ${tag}`);
  return codec.read(reader);
}

function subjectCodec<Name extends 'suspend_subject' | 'restore_subject'>(op: Name, tag: number): Codec<Name> {
  return {
    tag,
    write(writer: ByteWriter, { store, subject }: ChangeOf<'suspend_subject'>) {
      writer.text(store);
      writer.text(subject);
    },
    read: (reader: ByteReader) => ({ op, store: reader.text(), subject: reader.text() }),
  } as Codec<Name>;
}

/** Their number and one, then names and keys; 0 where there are none. */
function writeKeys(writer: ByteWriter, keys: PackedRecord['indexes']): void {
  if (keys === undefined) return writer.count(0);
  const names = Object.keys(keys);
  writer.count(names.length + 1);
  for (const name of names) {
    writer.text(name);
    writer.text(keys[name] as string); // it is one of its own names
  }
}

function readKeys(reader: ByteReader): Record<string, string> | undefined {
  const length = reader.count();
  return length === 0 ? undefined : readObject(reader, () => reader.text(), length - 1);
}
