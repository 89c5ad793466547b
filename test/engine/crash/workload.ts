import type { Change, RecordWrite } from '../../../engine/command/command.ts';
import type { ListingDefinition } from '../../../engine/command/listing-definition.ts';
import type { Tuple } from '../../../engine/tuple.ts';

export const STORE = 'crash';
/** Each commit has an entry here, in the order of commits. */
export const JOURNAL = 'journal';
export const WRITERS = 64;

export const MODEL = {
  dsl: `model
  schema 1.1
type user
type group
  relations
    define member: [user]
type doc
  relations
    define viewer: [user, user:*, group#member, user with recent]
condition recent(age: int) {
  age < 10
}
`,
};

/** Notes are listed, in blocks of a few and in many steps: a crash finds the writer in the midst of some. */
export const NOTES: ListingDefinition = {
  collection: 'notes',
  orders: [
    { name: 'by', paths: ['by'] },
    { name: 'kind', paths: ['kind'] },
    { name: 'number', paths: ['number'] },
  ],
  text: ['by'],
  flags: ['isNote'],
  memberships: { subjectType: 'user', relations: ['group#member', 'doc#viewer'] },
  blockSize: 8,
  recentMax: 64,
};

/** Milliseconds since the epoch, long past any test. */
const FAR_FUTURE = 4_000_000_000_000;
const KINDS_OF_COMMITS = 4;
/** One commit in so many is refused in the middle of its writes; a prime, so that it hits every kind. */
const POISONED_EVERY = 61;

/** Names a commit, and by that all that it does. */
export interface CommitName {
  readonly round: number;
  readonly writer: number;
  /** Counts the commits of one writer in one round. A writer submits the next when it knows what became of this one. */
  readonly number: number;
}

/** What one commit writes and deletes. */
export interface Plan {
  readonly writes: readonly Tuple[];
  readonly deletes: readonly Tuple[];
  readonly puts: readonly RecordWrite[];
  /** Ids of records of the collection `notes`. */
  readonly drops: readonly string[];
}

export function commitId({ round, writer, number }: CommitName): string {
  return `${round}-${writer}-${number}`;
}

/** Undefined for the ids of other commits. */
export function readCommitId(id: string): CommitName | undefined {
  const match = /^(\d+)-(\d+)-(\d+)$/.exec(id);
  if (match === null) return undefined;
  const [round, writer, number] = match.slice(1).map(Number) as [number, number, number];
  return { round, writer, number };
}

/** Such a commit fails after its first writes, together with others in one batch, and must leave nothing behind. */
export function isPoisoned({ writer, number }: CommitName): boolean {
  return (writer + number) % POISONED_EVERY === POISONED_EVERY - 1;
}

/**
 * In turn: a group of two to eight tuples; a single tuple; a tuple with two records; and the deletion of the group and
 * of a record, with a tuple and a record in their place. What a commit writes never depends on another writer.
 */
export function planCommit(name: CommitName): Plan {
  const { round, writer, number } = name;
  const id = commitId(name);
  const none: Plan = { writes: [], deletes: [], puts: [], drops: [] };
  const single: Tuple = { object: `group:${writer}`, relation: 'member', subject: `user:${id}` };
  switch (number % KINDS_OF_COMMITS) {
    case 0:
      return { ...none, writes: groupOf(name) };
    case 1:
      return { ...none, writes: [single] };
    case 2: {
      const counter: RecordWrite = {
        collection: 'counters',
        id: `${round}-${writer}`,
        document: { number },
        indexes: { number: String(number) },
      };
      return { ...none, writes: [single], puts: [noteOf(name), counter] };
    }
    default: {
      const deletes = groupOf({ ...name, number: number - 3 });
      return { writes: [single], deletes, puts: [noteOf(name)], drops: [commitId({ ...name, number: number - 1 })] };
    }
  }
}

export function changesOf(name: CommitName): Change[] {
  const { writes, deletes, puts, drops } = planCommit(name);
  const changes: Change[] = [];
  if (deletes.length > 0) changes.push({ op: 'delete_tuples', store: STORE, tuples: deletes });
  changes.push({ op: 'write_tuples', store: STORE, tuples: writes });
  for (const record of puts) changes.push({ op: 'put_record', store: STORE, record });
  for (const id of drops) changes.push({ op: 'delete_record', store: STORE, collection: 'notes', id });
  changes.push({ op: 'append_record', store: STORE, collection: JOURNAL, document: { id: commitId(name) } });
  // A key with NUL is refused where it is written, behind the writes of the same command.
  const poison = { collection: 'notes', id: 'poison', document: {}, indexes: { kind: '\0' } };
  if (isPoisoned(name)) changes.push({ op: 'put_record', store: STORE, record: poison });
  return changes;
}

function groupOf(name: CommitName): Tuple[] {
  const id = commitId(name);
  const size = 2 + ((name.writer * 31 + name.number) % 7);
  return Array.from({ length: size }, (_, i) => {
    const tuple = { object: `doc:${id}.${i}`, relation: 'viewer', subject: `user:${name.writer}` };
    if (i % 3 === 1) return { ...tuple, expiresAt: FAR_FUTURE + name.number };
    if (i % 3 === 2) return { ...tuple, condition: { name: 'recent', context: { age: i } } };
    return tuple;
  });
}

function noteOf(name: CommitName): RecordWrite {
  const id = commitId(name);
  const kind = name.number % KINDS_OF_COMMITS === 2 ? 'note' : 'deletion';
  const document = {
    kind,
    by: `Writer ${name.writer} in round ${name.round}`,
    isNote: kind === 'note',
    ...(name.number % 3 === 0 ? {} : { number: name.number }),
  };
  return { collection: 'notes', id, document, indexes: { kind }, unique: { id: `unique ${id}` } };
}
