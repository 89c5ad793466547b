import type { Tuple } from '../tuple.ts';
import type { PackedChange, PackedCommand, Precondition } from './command.ts';

/**
 * Commands of one turn on their way to the writer. Most change records, or tuples without a condition, and travel as
 * JSON, which crosses in two thirds of the time that clones of their objects take: `frames` of them, and beside it the
 * texts that the writer stores as they are. All others are cloned.
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
  | readonly ['end', store: string, collection: string]
  | readonly ['append', store: string, chain: string, entry: string, digest: string]
  | readonly ['write', store: string, modelId: string | null, ...TupleTexts]
  | readonly ['remove', store: string, ...TupleTexts];
/** Object, relation and subject of one tuple after the other. */
type TupleTexts = readonly string[];

/** The same commands in the same order come out of `commandsOf`. */
export function batchOf(commands: readonly PackedCommand[]): CommandBatch {
  const texts: (string | undefined)[] = [];
  const cloned: PackedCommand[] = [];
  const frames = commands.map((command): Frame => {
    if (isText(command)) return frameOf(command, texts);
    cloned.push(command);
    return CLONED;
  });
  return { frames: JSON.stringify(frames), texts, cloned };
}

export function commandsOf({ frames, texts, cloned }: CommandBatch): PackedCommand[] {
  let read = 0;
  let taken = 0;
  const next = (): string | undefined => texts[read++];
  return (JSON.parse(frames) as Frame[]).map((frame) => {
    if (frame === CLONED) return cloned[taken++] as PackedCommand; // put there beside the frame
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

type TextChange = Extract<
  PackedChange,
  { op: 'put_record' | 'delete_record' | 'append_record' | 'append_chained' | 'write_tuples' | 'delete_tuples' }
>;

interface TextCommand extends PackedCommand {
  readonly changes: readonly TextChange[];
}

function isText(command: PackedCommand): command is TextCommand {
  return (
    command.changes.every(isTextChange) && (command.preconditions ?? []).every(({ require }) => !ofTuples.has(require))
  );
}

const ofTuples: ReadonlySet<Precondition['require']> = new Set(['tuple_exists', 'tuple_absent']);

function isTextChange(change: PackedChange): change is TextChange {
  switch (change.op) {
    case 'put_record':
    case 'delete_record':
    case 'append_record':
    case 'append_chained':
      return true;
    case 'write_tuples':
    case 'delete_tuples':
      return change.tuples.every(isBare);
    default:
      return false;
  }
}

/** Conditions may have in them what JSON has not. */
function isBare({ object, relation, subject, condition, expiresAt }: Tuple): boolean {
  return (
    condition === undefined &&
    expiresAt === undefined &&
    typeof object === 'string' &&
    typeof relation === 'string' &&
    typeof subject === 'string'
  );
}

function frameOf({ id, time, preconditions, changes, events }: TextCommand, texts: (string | undefined)[]): Frame {
  texts.push(events);
  return [id, time, preconditions ?? null, changes.map((change) => changeFrame(change, texts))];
}

function changeFrame(change: TextChange, texts: (string | undefined)[]): ChangeFrame {
  const { store } = change;
  switch (change.op) {
    case 'put_record': {
      const { collection, id, json, indexes, unique } = change.record;
      texts.push(json);
      return ['put', store, collection, id, indexes ?? null, unique ?? null];
    }
    case 'delete_record':
      return ['delete', store, change.collection, change.id];
    case 'append_record':
      texts.push(change.json);
      return ['end', store, change.collection];
    case 'append_chained':
      return ['append', store, change.chain, change.entry, Buffer.from(change.digest).toString('base64')];
    case 'write_tuples':
      return ['write', store, change.modelId ?? null, ...textsOf(change.tuples)];
    case 'delete_tuples':
      return ['remove', store, ...textsOf(change.tuples)];
  }
}

function textsOf(tuples: readonly Tuple[]): string[] {
  return tuples.flatMap(({ object, relation, subject }) => [object, relation, subject]);
}

function tuplesOf(texts: TupleTexts): Tuple[] {
  const tuples: Tuple[] = [];
  for (let i = 0; i < texts.length; i += 3) {
    const [object, relation, subject] = [texts[i], texts[i + 1], texts[i + 2]] as [string, string, string];
    tuples.push({ object, relation, subject });
  }
  return tuples;
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
    case 'end':
      return { op: 'append_record', store, collection: frame[2], json: text() as string }; // put there beside the frame
    case 'append': {
      const [, , chain, entry, digest] = frame;
      return { op: 'append_chained', store, chain, entry, digest: Buffer.from(digest, 'base64') };
    }
    case 'write': {
      const [, , modelId, ...texts] = frame;
      const tuples = tuplesOf(texts);
      return { op: 'write_tuples', store, tuples, ...(modelId === null ? {} : { modelId }) };
    }
    case 'remove': {
      const [, , ...texts] = frame;
      return { op: 'delete_tuples', store, tuples: tuplesOf(texts) };
    }
  }
}
