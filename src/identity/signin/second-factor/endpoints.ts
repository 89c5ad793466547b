import type { Endpoint } from '../../../http/index.ts';
import type { SignInPageParts } from '../pages-parts.ts';
import { challengeEndpoints } from './challenge-endpoints.ts';
import { enrolEndpoints } from './enrol-endpoints.tsx';

/** The pages between the first factor and the session. */
export function secondFactorEndpoints(service: SignInPageParts): Endpoint[] {
  return [...challengeEndpoints(service), ...enrolEndpoints(service)];
}
