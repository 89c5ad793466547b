const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `5 minutes`, `1 hour 30 minutes`: the largest unit and the one after it. */
export function durationText(seconds: number): string {
  const largest = units.findIndex(([, length]) => seconds >= length);
  const shown = units.slice(largest, largest + 2);
  let rest = seconds;
  const texts = shown.flatMap(([unit, length]) => {
    const count = Math.floor(rest / length);
    rest -= count * length;
    return count === 0 ? [] : [`${count} ${unit}${count === 1 ? '' : 's'}`];
  });
  return texts.join(' ') || 'less than a second';
}

/** How long it is until a time, with no more precision than helps: seconds only in the last minute. */
export function timeLeft(until: number, now: number): string {
  const seconds = Math.max(0, Math.floor((until - now) / 1000));
  return durationText(seconds < 60 ? seconds : seconds - (seconds % 60));
}
