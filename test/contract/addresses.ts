import type { Endpoint } from '../../src/http/index.ts';
import { sampleOf } from './sample.ts';

/** The path of a request: the organization, and for each other parameter something that the schema admits. */
export function addressOf({ path, params }: Pick<Endpoint, 'path' | 'params'>, organization: string): string {
  const shape = (params?.def as { readonly shape?: Readonly<Record<string, NonNullable<typeof params>>> })?.shape ?? {};
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'orgId' || name === 'tenant') return organization;
    const known = shape[name];
    return encodeURIComponent(String(known === undefined ? 'x' : sampleOf(known)));
  });
}

/** Without what tells one family from the other. */
export function inFamily(path: string): string {
  return path.replace(/^\/(?:t\/\{tenant\}|orgs\/\{orgId\})\/api\/v1/, '');
}
