import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '#engine';
import {
  type Background,
  type Clock,
  type ClockEvent,
  ClockGuard,
  type Gauge,
  isoTime,
  type Log,
  lastSeenFile,
  type MetricDefinition,
} from '../platform/index.ts';

export const clockMetrics: readonly MetricDefinition[] = [
  {
    kind: 'gauge',
    name: 'relata_clock_trusted',
    help: '1 while the clock is trusted. 0 after a jump: nothing is removed or rotated until it is back or has run evenly for an hour.',
    across: 'max',
  },
];

const NOTE_MS = 60_000;
const DIGITS = 15;

/** The last time that was known to be right, before this start has written anything. */
export function lastSeenTime(dataDir: string, engine: Engine): number | undefined {
  try {
    const time = Number(readFileSync(join(dataDir, lastSeenFile), 'utf8'));
    if (Number.isSafeInteger(time) && time > 0) return time;
  } catch {
    // no note: the folder is new, restored, or of an earlier release
  }
  return engine.lastCommitTime();
}

export interface ClockWatchDependencies {
  readonly clock: Clock;
  readonly dataDir: string;
  readonly lastSeen: number | undefined;
  readonly background: Background;
  readonly gauge: Gauge;
  readonly log: Log;
}

/**
 * Logs jumps of the clock, and saves the time each minute. Answers a function that tells whether the clock can be
 * trusted.
 */
export function watchClock({
  clock,
  dataDir,
  lastSeen,
  background,
  gauge,
  log,
}: ClockWatchDependencies): () => boolean {
  const tell = (event: ClockEvent): void => {
    const now = isoTime(event.now);
    if (event.kind === 'trusted') log.warn({ now }, 'the clock is trusted again');
    else log.error({ now, expected: isoTime(event.expected) }, 'the clock has jumped: removals and key rotation wait');
  };
  const guard = new ClockGuard({ clock, monotonic: () => performance.now(), lastSeen, tell });
  const isTrusted = (): boolean => {
    const trusted = guard.isTrusted();
    gauge.set(trusted ? 1 : 0);
    return trusted;
  };
  const note = (): void => {
    if (isTrusted()) writeNote(join(dataDir, lastSeenFile), clock.now());
  };
  void background.run('clock', note);
  background.every('clock', NOTE_MS, note);
  return isTrusted;
}

/** Overwrites the file with the same length: that needs no space, and never leaves half a number. */
function writeNote(file: string, time: number): void {
  const handle = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    writeSync(handle, `${String(time).padStart(DIGITS, '0')}\n`, 0);
  } finally {
    closeSync(handle);
  }
}
