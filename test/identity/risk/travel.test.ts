import { expect, it } from 'vitest';
import { impossibleDistance } from '../../../src/identity/risk/travel.ts';

const HOUR_MS = 3_600_000;
const places = {
  lausanne: { latitude: 46.52, longitude: 6.63 },
  geneva: { latitude: 46.2, longitude: 6.14 },
  sydney: { latitude: -33.87, longitude: 151.21 },
  fiji: { latitude: -17.7, longitude: 178.1 },
  samoa: { latitude: -13.8, longitude: -171.8 },
} as const;
type Name = keyof typeof places;

it.each<{ from: Name; to: Name; hours: number; km: number | undefined }>([
  { from: 'lausanne', to: 'sydney', hours: 1, km: 16_730 },
  { from: 'sydney', to: 'lausanne', hours: 16, km: 16_730 },
  { from: 'lausanne', to: 'sydney', hours: 17, km: undefined },
  { from: 'lausanne', to: 'geneva', hours: 0, km: undefined },
  { from: 'lausanne', to: 'lausanne', hours: 0, km: undefined },
  // the shorter way, past 180 degrees
  { from: 'fiji', to: 'samoa', hours: 0.5, km: 1160 },
  { from: 'fiji', to: 'samoa', hours: 1, km: undefined },
  // a clock that went back
  { from: 'lausanne', to: 'sydney', hours: -1, km: 16_730 },
])('$from to $to in $hours hours: $km km', ({ from, to, hours, km }) => {
  const distance = impossibleDistance(places[from], places[to], hours * HOUR_MS);
  if (km === undefined) expect(distance).toBeUndefined();
  else expect(Math.abs((distance ?? 0) - km)).toBeLessThan(60);
});
