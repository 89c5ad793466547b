import type { NamedObject } from '../question/objects.ts';

/** What a question may mean: something that the engine can be asked. */
export type Reading =
  | { readonly kind: 'permission'; readonly permission: string; readonly resource?: NamedObject }
  | { readonly kind: 'relation'; readonly object: NamedObject; readonly relation: string };

/** Why a question has no reading that counts. */
export type UnmappedReason =
  /** Its words are not those of this organization. */
  | 'unknown'
  /** Two or more readings are as good. */
  | 'ambiguous'
  /** It asks about several things, or all but some. */
  | 'several'
  /** It is about somebody who was not named, or not to be answered by yes or no. */
  | 'other'
  /** It asks about one object, and does not name it. */
  | 'no_object';

interface Read {
  /** The subject that the question itself names. */
  readonly subject?: string;
  readonly isNegated: boolean;
  readonly isNeeded: boolean;
  /** The question names it by its slug or its id, and not by words that stand for it. */
  readonly isNamed?: true;
  /** Best first. */
  readonly readings: readonly Reading[];
  /** How probable it is that the first reading is the one that was meant: 0 to 1. */
  readonly confidence: number;
}

export type Mapping =
  | (Read & { readonly isMapped: true })
  | (Read & { readonly isMapped: false; readonly reason: UnmappedReason });

/** Readings are decided from here on; what is less probable is told as not understood. */
export const CONFIDENT = 0.6;
/** Most that is said of a question that was not mapped. */
export const UNMAPPED_MAX = 0.25;
export const READINGS_MAX = 5;
