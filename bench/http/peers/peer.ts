import type { CheckRequest } from '#engine';
import type { DataSet } from '../../data/data-set.ts';

/** Another authorization server, which is running already and is given the same model, tuples and questions. */
export interface Peer {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Writes the model and the tuples; to be called before anything is asked. */
  load(data: DataSet): Promise<void>;
  /** Where a check is posted. */
  checkUrl(): string;
  checkBody(request: CheckRequest): string;
  isAllowed(reply: unknown): boolean;
}

export interface PlainTuple {
  readonly object: string;
  readonly relation: string;
  readonly subject: string;
}

/** The tuples of a data set, so many at a time. */
export function* blocksOf(data: DataSet, size: number): Iterable<PlainTuple[]> {
  let block: PlainTuple[] = [];
  for (const _ of data.tuples((object, relation, subject) => block.push({ object, relation, subject }))) {
    while (block.length >= size) {
      yield block.slice(0, size);
      block = block.slice(size);
    }
  }
  for (; block.length > 0; block = block.slice(size)) yield block.slice(0, size);
}
