import type { FamilyBase } from '../../kernel/organizations/index.ts';
import { issuerUrls } from '../../protocols/oauth/index.ts';

/** Below the API of an organization, in both families. */
export const paths = {
  evaluation: '/access/v1/evaluation',
  evaluations: '/access/v1/evaluations',
  requests: '/access/v1/requests',
} as const;

/** Where an organization decides, as programs elsewhere address it. */
export function decisionPoint(baseUrl: string, slug: string) {
  const { issuer, api, jwks } = issuerUrls(baseUrl, slug);
  return {
    issuer,
    evaluation: api + paths.evaluation,
    evaluations: api + paths.evaluations,
    requests: api + paths.requests,
    jwks,
  };
}

/** A task in the family of addresses in which it was asked about. */
export function taskUrl(baseUrl: string, base: FamilyBase, slug: string, taskId: string): string {
  return `${baseUrl}${base.replace(/\{\w+\}/, slug)}${paths.requests}/${taskId}`;
}
