import type { Change, Precondition } from './command/command.ts';
import type { SharedType } from './model/index.ts';
import type { Model } from './model/model.ts';
import type { OrphanReport } from './read/model-change.ts';
import type { Tuple } from './tuple.ts';

export interface WriteRequest {
  readonly writes?: readonly Tuple[];
  readonly deletes?: readonly Tuple[];
  /** Further changes of the same commit, of records most of all. */
  readonly also?: readonly Change[];
  readonly preconditions?: readonly Precondition[];
  /** The model that the caller has judged by. With a later one the write fails with `model_changed`. */
  readonly judgedModelId?: string | undefined;
}

export interface ModelOptions {
  /** The model that the written one is merged into; see `mergeModels`. */
  readonly base?: Model;
}

/** A parsed model on its way into the store. */
export interface PreparedModel {
  /** As `modelToJson` gives it, merged where there was a base. */
  readonly json: unknown;
  readonly kinds: readonly (readonly [string, string])[];
  readonly orphans: OrphanReport;
  /** The types that it and its base both define; none without a base. */
  readonly shared: readonly SharedType[];
}

export interface ModelWritten {
  readonly modelId: string;
  readonly revision: number;
}
