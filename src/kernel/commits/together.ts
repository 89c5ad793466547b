/** Commits at a time: they share one flush to the disk. */
const AT_ONCE = 100;

/**
 * Runs what commits to one store after the other, many at a time. Where one fails, the others go on.
 * @throws the first error, once all have ended
 */
export async function commitTogether<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const ended = await Promise.allSettled(items.slice(from, from + AT_ONCE).map(run));
    for (const each of ended) if (each.status === 'rejected') failures.push(each.reason);
  }
  if (failures.length > 0) throw failures[0];
}
