import { durationParts } from '../../../directory/elevations/index.ts';
import type { AccountVisit } from './account-endpoint.ts';

/** `5 minutes`, `1 Stunde 30 Minuten`: the largest unit and the one after it. */
export function durationIn(t: AccountVisit['t'], seconds: number): string {
  const parts = durationParts(seconds);
  const shown = parts.length === 0 ? [{ count: 0, unit: 'second' as const }] : parts;
  return shown
    .map(({ count, unit }) => new Intl.NumberFormat(t.tag, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
    .join(' ');
}
