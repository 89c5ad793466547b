import type { PackedChange, PackedCommand, Precondition } from './command.ts';

/**
 * Commands of one turn on their way to the writer. Most change records alone and travel as JSON, which crosses in two
 * thirds of the time that clones of their objects take: `frames` of them, and beside it the texts that the writer stores
 * as they are. What has tuples in it is cloned.
 */
export interface CommandBatch {
  readonly frames: string;
  /** Of each framed command its events, then the documents of its changes, in order. */
  readonly texts: readonly (string | undefined)[];
  readonly cloned: readonly PackedCommand[];
}

/** In place of a command that is cloned. */
const CLONED = 0;

type Keys = Readonly<Record<string, string>>;
type Frame = readonly [string, number, readonly Precondition[] | null, readonly ChangeFrame[]] | typeof CLONED;
type ChangeFrame =
  | readonly ['put', store: string, collection: string, id: string, indexes: Keys | null, unique: Keys | null]
  | readonly ['delete', store: string, collection: string, id: string]
  | readonly ['append', store: string, chain: string, entry: string, digest: string];

/** The same commands in the same order come out of `commandsOf`. */
export function batchOf(commands: readonly PackedCommand[]): CommandBatch {
  const texts: (string | undefined)[] = [];
  const cloned: PackedCommand[] = [];
  const frames = commands.map((command): Frame => {
    if (isOfRecords(command)) return frameOf(command, texts);
    cloned.push(command);
    return CLONED;
  });
  return { frames: JSON.stringify(frames), texts, cloned };
}

export function commandsOf({ frames, texts, cloned }: CommandBatch): PackedCommand[] {
  const text = texts[Symbol.iterator]();
  const clone = cloned[Symbol.iterator]();
  const next = (): string | undefined => text.next().value;
  return (JSON.parse(frames) as Frame[]).map((frame) => {
    if (frame === CLONED) return clone.next().value as PackedCommand;
    const [id, time, preconditions, changes] = frame;
    const events = next();
    return {
      id,
      time,
      preconditions: preconditions ?? undefined,
      changes: changes.map((change) => changeOf(change, next)),
      events,
    };
  });
}

type RecordChange = Extract<PackedChange, { op: 'put_record' | 'delete_record' | 'append_chained' }>;

interface RecordCommand extends PackedCommand {
  readonly changes: readonly RecordChange[];
}

/** Conditions of tuples may have in them what JSON has not. */
function isOfRecords(command: PackedCommand): command is RecordCommand {
  return (
    command.changes.every(isOfRecord) && (command.preconditions ?? []).every(({ require }) => !ofTuples.has(require))
  );
}

const ofTuples: ReadonlySet<Precondition['require']> = new Set(['tuple_exists', 'tuple_absent']);

function isOfRecord(change: PackedChange): change is RecordChange {
  return change.op === 'put_record' || change.op === 'delete_record' || change.op === 'append_chained';
}

function frameOf({ id, time, preconditions, changes, events }: RecordCommand, texts: (string | undefined)[]): Frame {
  texts.push(events);
  return [id, time, preconditions ?? null, changes.map((change) => changeFrame(change, texts))];
}

function changeFrame(change: RecordChange, texts: (string | undefined)[]): ChangeFrame {
  const { store } = change;
  switch (change.op) {
    case 'put_record': {
      const { collection, id, json, indexes, unique } = change.record;
      texts.push(json);
      return ['put', store, collection, id, indexes ?? null, unique ?? null];
    }
    case 'delete_record':
      return ['delete', store, change.collection, change.id];
    case 'append_chained':
      return ['append', store, change.chain, change.entry, Buffer.from(change.digest).toString('base64')];
  }
}

function changeOf(frame: ChangeFrame, text: () => string | undefined): PackedChange {
  const store = frame[1];
  switch (frame[0]) {
    case 'put': {
      const [, , collection, id, indexes, unique] = frame;
      const json = text() as string; // put there beside the frame
      return {
        op: 'put_record',
        store,
        record: { collection, id, json, indexes: indexes ?? undefined, unique: unique ?? undefined },
      };
    }
    case 'delete':
      return { op: 'delete_record', store, collection: frame[2], id: frame[3] };
    case 'append': {
      const [, , chain, entry, digest] = frame;
      return { op: 'append_chained', store, chain, entry, digest: Buffer.from(digest, 'base64') };
    }
  }
}
