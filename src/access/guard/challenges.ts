import { type Problem, problem, type Visit } from '../../http/index.ts';
import { slugPattern } from '../../kernel/organizations/index.ts';
import { permissionsScope, proofAlgorithms } from '../../protocols/oauth/index.ts';
import { isForMcp, isForScim } from './scopes.ts';

const algorithms = `algs="${proofAlgorithms.join(' ')}"`;

/** Answers of 401, with the schemes that are accepted (RFC 9110, 11.6.1) and the metadata that describes them. */
export class Challenges {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** No credential was sent. */
  unknown(visit: Visit): Problem {
    return this.#refusal(visit, 'No credential was sent: send Authorization: Bearer and a key or token.', '', '');
  }

  /** An unknown organization gets the same answer, so that it does not show which organizations exist. */
  invalid(visit: Visit, detail = 'The credential is invalid.'): Problem {
    return this.#refusal(visit, detail, ', error="invalid_token"', '');
  }

  /** A token lacks the proof that it needs (RFC 9449, 7.1). */
  unproved(visit: Visit, detail: string, error: 'invalid_token' | 'invalid_dpop_proof' = 'invalid_token'): Problem {
    return this.#refusal(visit, detail, '', `error="${error}", `);
  }

  #refusal(visit: Visit, detail: string, bearerError: string, proofError: string): Problem {
    const bearer = `Bearer realm="relata"${bearerError}${this.#metadata(visit)}`;
    const tokens = `${bearer}, DPoP ${proofError}${algorithms}`;
    const header = isForScim(visit) ? tokens : `${tokens}, ApiKey realm="relata"`;
    return problem('unauthenticated', detail, { headers: { 'www-authenticate': header } });
  }

  /** RFC 9728, 5.1. For every well-formed slug, whether or not the organization exists. */
  #metadata({ params, endpoint }: Visit): string {
    const slug = params.tenant ?? params.orgId ?? '';
    if (!slugPattern.test(slug)) return '';
    const family = params.tenant === undefined ? 'orgs' : 't';
    const api = `${this.#baseUrl}/.well-known/oauth-protected-resource/${family}/${slug}/api/v1`;
    // its clients ask for what they are told here, before they know anything else
    return isForMcp({ endpoint })
      ? `, resource_metadata="${api}/mcp", scope="${permissionsScope}"`
      : `, resource_metadata="${api}"`;
  }
}
