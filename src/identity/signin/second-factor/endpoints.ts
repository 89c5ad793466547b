import type { Endpoint } from '../../../http/index.ts';
import type { SignInPageDependencies } from '../pages-dependencies.ts';
import { challengeEndpoints } from './challenge-endpoints.ts';
import { enrolEndpoints } from './enrol-endpoints.tsx';

/** The pages between the first factor and the session. */
export function secondFactorEndpoints(service: SignInPageDependencies): Endpoint[] {
  return [...challengeEndpoints(service), ...enrolEndpoints(service)];
}
