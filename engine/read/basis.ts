import type { Reader, View } from '../evaluate/reader.ts';
import type { Basis } from '../requests.ts';

export function basisOf({ graph, snapshot }: Reader, { number }: View): Basis {
  return {
    changedAt: Math.min(graph.touched.tuples.at(number), snapshot.revision),
    isTimeless: graph.shapes.arePlain(number),
  };
}
