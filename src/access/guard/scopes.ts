import { type Problem, problem, type Visit } from '../../http/index.ts';

/** Whether an endpoint accepts credentials of SCIM, and no others. */
export function isForScim({ endpoint: { access } }: Pick<Visit, 'endpoint'>): boolean {
  return typeof access !== 'string' && 'scope' in access;
}

/** RFC 6750, 3.1: names the scope that the token lacks. */
export function outOfScope(scope: string): Problem {
  return problem('forbidden', `The token has no scope for ${scope}.`, {
    headers: { 'www-authenticate': `Bearer realm="relata", error="insufficient_scope", scope="${scope}"` },
  });
}
