const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

export interface DurationPart {
  readonly count: number;
  readonly unit: (typeof units)[number][0];
}

/** The largest unit and the one after it; nothing where it is less than a second. */
export function durationParts(seconds: number): DurationPart[] {
  const largest = units.findIndex(([, length]) => seconds >= length);
  const shown = units.slice(largest, largest + 2);
  let rest = seconds;
  return shown.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [{ count, unit }];
  });
}

/** `5 minutes`, `1 hour 30 minutes` */
export function durationText(seconds: number): string {
  const texts = durationParts(seconds).map(({ count, unit }) => `${count} ${unit}${count === 1 ? '' : 's'}`);
  return texts.join(' ') || 'less than a second';
}

/** How long it is until a time, with no more precision than helps: seconds only in the last minute. */
export function secondsLeft(until: number, now: number): number {
  const seconds = Math.max(0, Math.floor((until - now) / 1000));
  return seconds < 60 ? seconds : seconds - (seconds % 60);
}

/** The same in words. */
export function timeLeft(until: number, now: number): string {
  return durationText(secondsLeft(until, now));
}
