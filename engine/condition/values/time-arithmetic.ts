import { Duration, durationOf } from './duration.ts';
import { timestampOf } from './timestamp.ts';

const MILLISECOND = 1_000_000n;

/**
 * `left + right` where one is a timestamp or both are durations, exact to the nanosecond; undefined for other operands.
 * Throws where the result is out of its range, as cel-go does.
 */
export function addTimes(left: unknown, right: unknown): Date | Duration | undefined {
  if (right instanceof Duration) {
    if (left instanceof Date) return shift(left, right.nanoseconds);
    if (left instanceof Duration) return durationWithin(left.nanoseconds + right.nanoseconds);
  } else if (right instanceof Date && left instanceof Duration) return shift(right, left.nanoseconds);
  return undefined;
}

/** `left - right` in the same way: a timestamp less a duration or a timestamp, or a duration less a duration. */
export function subtractTimes(left: unknown, right: unknown): Date | Duration | undefined {
  if (left instanceof Date) {
    if (right instanceof Duration) return shift(left, -right.nanoseconds);
    if (right instanceof Date) return durationWithin(BigInt(left.getTime() - right.getTime()) * MILLISECOND);
  } else if (left instanceof Duration && right instanceof Duration) {
    return durationWithin(left.nanoseconds - right.nanoseconds);
  }
  return undefined;
}

export function negative({ nanoseconds }: Duration): Duration {
  return durationWithin(-nanoseconds);
}

function shift(instant: Date, nanoseconds: bigint): Date {
  // Timestamps have millisecond precision: anything finer is cut off towards the past, whatever the sign.
  const whole = nanoseconds / MILLISECOND;
  const milliseconds = nanoseconds % MILLISECOND < 0n ? whole - 1n : whole;
  const shifted = timestampOf(instant.getTime() + Number(milliseconds));
  if (shifted === undefined) throw new Error('timestamp overflow');
  return shifted;
}

function durationWithin(nanoseconds: bigint): Duration {
  const duration = durationOf(nanoseconds);
  if (duration === undefined) throw new Error('duration overflow');
  return duration;
}
