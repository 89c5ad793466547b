import type { ElevationDependencies } from '../../directory/elevations/index.ts';
import type { UserDependencies } from '../../directory/users/index.ts';
import type { Background, Sealer } from '../../platform/index.ts';

/** What elevations work with, from what is about people. */
export function elevationDependencies(
  { engine, clock, rights, actors, audit, mailer, baseUrl }: UserDependencies,
  background: Background,
  spent: ElevationDependencies['spent'],
  sealer: Sealer,
): ElevationDependencies {
  return { engine, clock, rights, actors, audit, mailer, baseUrl, background, spent, sealer };
}
