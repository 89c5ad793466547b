import type { Reader } from '../../evaluate/reader.ts';
import { denseFrom } from '../../store/log/log-marks.ts';
import type { FellBehind, Followed } from './follower.ts';

/**
 * The names of the stores that the commits after a revision touched, of those that still are: for who has worked out
 * something of whole stores. Commits that wrote records of `ignored` collections alone do not count. To be called inside
 * the snapshot.
 */
export function followStores(
  { tables, snapshot, graph, catalog }: Reader,
  after: number,
  ignored: ReadonlySet<string>,
): Followed<string> | FellBehind {
  const touched = graph.commits.touched(after, snapshot.revision, ignored);
  if (touched === undefined) return { isBehind: true, since: after, oldest: denseFrom(tables) };
  const changes: string[] = [];
  for (const store of touched) {
    const name = catalog.names.get(store);
    if (name !== undefined) changes.push(name);
  }
  return { isBehind: false, since: after, changes, reached: snapshot.revision };
}
