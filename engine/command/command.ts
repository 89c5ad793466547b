import type { ModelSource } from '../model/model.ts';
import type { Tuple } from '../tuple.ts';
import type { ListingDefinition } from './listing-definition.ts';
import type { PackedTuples } from './packed-tuples.ts';

/**
 * A command is all that the writer knows when it applies a change. It carries its time and every id it creates, so
 * that applying the same log gives the same store on every node; applying reads no clock and draws no random number.
 */
export interface Command {
  /** Unique per command. It stands in the change log with the commit. */
  readonly id: string;
  /** Milliseconds since the epoch, read by the submitter. Preconditions and expiry are judged by it. */
  readonly time: number;
  readonly preconditions?: readonly Precondition[] | undefined;
  readonly changes: readonly Change[];
}

/** A command on its way to the writer, which stores documents as they stand in it: as JSON. */
export interface PackedCommand extends Pick<Command, 'id' | 'time'> {
  readonly preconditions?: readonly Precondition[] | undefined;
  readonly changes: readonly PackedChange[];
}

export type PackedChange =
  | Exclude<Change, { op: 'put_record' | 'append_record' }>
  | { readonly op: 'put_record'; readonly store: string; readonly record: PackedRecord }
  | ({ readonly op: 'append_record'; readonly store: string } & Pick<PackedRecord, 'collection' | 'json'>);

export interface PackedRecord extends Pick<RecordWrite, 'collection' | 'id'> {
  /** The document. */
  readonly json: string;
  readonly indexes?: RecordWrite['indexes'] | undefined;
  readonly unique?: RecordWrite['unique'] | undefined;
}

export type Change =
  | {
      readonly op: 'write_tuples';
      readonly store: string;
      readonly tuples: readonly Tuple[];
      readonly modelId?: string;
    }
  /** Many tuples in the packed form of `pack-tuples.ts`, for imports. */
  | { readonly op: 'write_packed'; readonly store: string; readonly packed: PackedTuples; readonly modelId?: string }
  | { readonly op: 'delete_tuples'; readonly store: string; readonly tuples: readonly Tuple[] }
  /**
   * Every tuple that names this object on either side, resolved when the command is applied, and its suspension.
   */
  | { readonly op: 'delete_object'; readonly store: string; readonly object: string }
  /**
   * A suspended subject (`type:id`) is denied everything, whatever the tuples say. Its tuples stay, also as a userset or
   * a parent of others. Suspending it again, or restoring one that is not suspended, changes nothing.
   */
  | { readonly op: 'suspend_subject' | 'restore_subject'; readonly store: string; readonly subject: string }
  | { readonly op: 'put_record'; readonly store: string; readonly record: RecordWrite }
  | { readonly op: 'delete_record'; readonly store: string; readonly collection: string; readonly id: string }
  /**
   * Puts a document at the end of a collection. The writer gives it its id: `sequenceId` of how many were ever appended
   * there, this one included. Ids are in the order of commits, and none is given twice, whatever is deleted.
   */
  | { readonly op: 'append_record'; readonly store: string; readonly collection: string; readonly document: unknown }
  /**
   * Puts a record of this command, `entry` in the collection of the chain's name, on the chain: it gets the next sequence
   * and a link over its digest (32 bytes) and the link before.
   */
  | {
      readonly op: 'append_chained';
      readonly store: string;
      readonly chain: string;
      readonly entry: string;
      readonly digest: Uint8Array;
    }
  /** Removes the oldest entries of a chain and their records. It can be verified from there on. */
  | { readonly op: 'cut_chain'; readonly store: string; readonly chain: string; readonly through: number }
  | { readonly op: 'write_model'; readonly store: string; readonly model: ModelWrite }
  | { readonly op: 'create_store'; readonly store: string }
  /** Makes the store unreachable at once; its data is swept in bounded steps (`sweep_store`). */
  | { readonly op: 'delete_store'; readonly store: string }
  | { readonly op: 'sweep_store'; readonly storeNumber: number; readonly limit: number }
  /** Tuples that had expired by the command's time, of any store. */
  | { readonly op: 'sweep_expired'; readonly limit: number }
  /** Lists one collection by this definition from now on, in every store. It is not a commit itself. */
  | { readonly op: 'define_listing'; readonly definition: ListingDefinition }
  /** Goes on listing the records that stood in their stores before. It is not a commit itself. */
  | { readonly op: 'build_listings'; readonly limit: number }
  /** Removes commits older than a time from the change log. It is not a commit itself. */
  | { readonly op: 'trim_log'; readonly before: number; readonly limit: number };

export interface RecordWrite {
  readonly collection: string;
  readonly id: string;
  /** Plain data; stored as JSON. */
  readonly document: unknown;
  /**
   * Secondary keys, not unique: found in order by `Records.byIndex`. Where the name of an index begins with `#`, it is
   * also kept how many records have each key.
   */
  readonly indexes?: Readonly<Record<string, string>>;
  /**
   * Unique keys: a second record with the same one fails its command with `conflict`, unless an earlier change of the
   * command frees it.
   */
  readonly unique?: Readonly<Record<string, string>>;
}

export interface ModelWrite {
  readonly id: string;
  /** What the caller wrote, kept word for word. */
  readonly source: ModelSource;
  /** The typed model (merged, where a base model applies), as `modelToJson` gives it. */
  readonly json: unknown;
  /** Every `[type, relation]` the model declares and `[type, '']`, `[type, '*']` beside them, to be interned. */
  readonly kinds: readonly (readonly [string, string])[];
}

export type Precondition =
  | { readonly require: 'tuple_exists' | 'tuple_absent'; readonly store: string; readonly tuple: Tuple }
  | { readonly require: 'record_absent'; readonly store: string; readonly collection: string; readonly id: string }
  | {
      readonly require: 'record_version';
      readonly store: string;
      readonly collection: string;
      readonly id: string;
      readonly version: number;
    }
  /**
   * At most `max` records stand in the collection, or have this key of an index, be it unique or not. The one with the id
   * `except` does not count.
   */
  | {
      readonly require: 'records_at_most';
      readonly store: string;
      readonly collection: string;
      readonly key?: { readonly index: string; readonly text: string } | undefined;
      readonly except?: string | undefined;
      readonly max: number;
    }
  /** The latest model of the store is this one; `null` means that it has none. */
  | { readonly require: 'latest_model'; readonly store: string; readonly modelId: string | null };

/** What became of a command: where it stands in the log, or why nothing of it was done. */
export interface CommitResult {
  /** The commit's revision: durable, and visible to every read that begins after this answer. */
  readonly revision: number;
  /** How many tuples were added, changed or removed. */
  readonly tuplesChanged: number;
}
