import type { Surroundings } from './view-field.ts';

/** @param baseUrl of the service, from its configuration and never from a request */
export function surroundingsOf(baseUrl: string, slug: string): Surroundings {
  return { orgUrl: `${baseUrl}/orgs/${slug}` };
}
