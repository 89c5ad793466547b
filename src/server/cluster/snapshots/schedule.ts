import type { Snapshot } from '#engine';

export interface SnapshotSchedule {
  /** After so many messages of the log. */
  readonly messages: number;
  /** After so long, where there were any. */
  readonly everyMs: number;
  /** A node that was not seen for so long does not keep messages in the log. */
  readonly absentMs: number;
}

/** Of one log: with one alone, a damaged one would be all that there is. */
export const SNAPSHOTS_KEPT = 2;

/** Whether the next snapshot is to be made. */
export function isDue(
  newest: Pick<Snapshot, 'sequence' | 'time'> | undefined,
  here: { readonly sequence: number; readonly now: number },
  { messages, everyMs }: Omit<SnapshotSchedule, 'absentMs'>,
): boolean {
  const since = here.sequence - (newest?.sequence ?? 0);
  if (since <= 0) return false;
  // the first one is made by messages alone: until then, the log is short
  return since >= messages || (newest !== undefined && here.now - newest.time >= everyMs);
}
