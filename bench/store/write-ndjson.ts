import { closeSync, openSync, writeSync } from 'node:fs';
import type { AddTuple } from '../data/data-set.ts';

const BLOCK_CHARACTERS = 1 << 20;

/** Writes tuples as `relata import` reads them, one JSON object a line. Answers how many. */
export function writeNdjson(path: string, ...sources: readonly ((add: AddTuple) => Iterable<void>)[]): number {
  const file = openSync(path, 'w');
  let count = 0;
  let block = '';
  const add: AddTuple = (object, relation, subject) => {
    count++;
    block += `{"object":"${object}","relation":"${relation}","subject":"${subject}"}\n`;
  };
  for (const source of sources) {
    for (const _ of source(add)) {
      if (block.length < BLOCK_CHARACTERS) continue;
      writeSync(file, block);
      block = '';
    }
  }
  writeSync(file, block);
  closeSync(file);
  return count;
}
