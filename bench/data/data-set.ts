import type { CheckRequest, Tuple } from '#engine';

/** Takes in one tuple. */
export type AddTuple = (object: string, relation: string, subject: string) => void;

/** Distinct questions in a random order, half of them allowed, with the answers that the generator worked out. */
export interface Questions {
  readonly requests: readonly CheckRequest[];
  /** 1 where the answer is "allowed". */
  readonly expected: Uint8Array;
}

/** A model, its tuples and questions about them, all from the fixed seed. */
export interface DataSet {
  /** Stands in the name of the folder that it is kept in. */
  readonly name: string;
  /** To be raised when the generator makes other tuples than before. */
  readonly version: number;
  /** An OpenFGA model. */
  readonly dsl: string;
  /** The same model as a SpiceDB schema, where a peer is asked the same questions. */
  readonly spicedbSchema?: string;
  /** Adds every tuple, in an order in which an export would have them. Yields after each few, so that one can wait. */
  tuples(add: AddTuple): Iterable<void>;
  /**
   * A tuple that may come and go without changing an answer: its subject is never asked about, and its object is one
   * that is, so that writing it invalidates what the questions read.
   */
  noise(number: number): Tuple;
}
