import type { Tables } from './environment.ts';
import { u32Key, unpack } from './layout.ts';

/** How many tuples of one shape a store holds. `kinds` carries the qualified bit; `condition` may be empty. */
export interface Shape {
  readonly kinds: number;
  readonly condition: string;
  readonly count: number;
}

export function readShapes(tables: Tables, store: number): Shape[] {
  const shapes: Shape[] = [];
  for (const { key, value } of tables.shapes.getRange({ start: u32Key(store), end: u32Key(store + 1) })) {
    shapes.push({
      kinds: key.readUInt32BE(4),
      condition: key.toString('utf8', 8, key.length),
      count: unpack<number>(value),
    });
  }
  return shapes;
}
