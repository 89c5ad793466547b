import type { Location } from '../sessions/index.ts';

/** Where a sign-in came from, as a pair of degrees. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

/** An airliner's cruise, with some wind behind it. */
const SPEED_MAX_KM_PER_HOUR = 1000;
/** Databases of places are wrong by so much, even where an address has not moved. */
const ERROR_KM = 200;
const EARTH_RADIUS_KM = 6371;
const HOUR_MS = 3_600_000;

export function coordinatesOf(location: Location | null): Coordinates | undefined {
  const { latitude, longitude } = location ?? {};
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/** The distance of two places in whole kilometres, where nobody gets from one to the other in that time. */
export function impossibleDistance(from: Coordinates, to: Coordinates, elapsedMs: number): number | undefined {
  const distance = distanceKm(from, to);
  const reach = (Math.max(0, elapsedMs) / HOUR_MS) * SPEED_MAX_KM_PER_HOUR;
  return distance - ERROR_KM > reach ? Math.round(distance) : undefined;
}

/** Along a great circle, by the haversine formula. */
function distanceKm(from: Coordinates, to: Coordinates): number {
  const [lat1, lat2] = [radians(from.latitude), radians(to.latitude)];
  const dLat = lat2 - lat1;
  const dLon = radians(to.longitude - from.longitude);
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin(dLon / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
