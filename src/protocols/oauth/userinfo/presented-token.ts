import { proofAlgorithms } from '../dpop/index.ts';
import { oauthError } from '../errors/index.ts';

/** A token as a request brings it. */
export interface PresentedToken {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly text: string;
}

const TOKEN_MAX = 4096;

/**
 * From the header, or from the form (RFC 6750, 2; RFC 9449, 7.1).
 * @throws ProblemError 401 where there is none, `invalid_request` where there are two
 */
export function presentedToken(authorization: string, inForm: string | undefined): PresentedToken {
  const [, scheme = '', text = ''] = /^(Bearer|DPoP) +([A-Za-z0-9._~+/=-]+)$/i.exec(authorization) ?? [];
  if (text !== '' && inForm !== undefined) throw oauthError('invalid_request', 'The token must be sent exactly once.');
  const token = inForm ?? text;
  if (token === '' || token.length > TOKEN_MAX) throw unusable('Send an access token as Bearer or DPoP.', 'Bearer', '');
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', text: token };
}

const algorithms = `algs="${proofAlgorithms.join(' ')}"`;

/**
 * 401 (RFC 6750, 3; RFC 9449, 7.1): both schemes would do, and what is wrong stands with the one that was used. Where no
 * token came, there is no error to name.
 */
export function unusable(description: string, scheme: PresentedToken['scheme'], error = 'invalid_token') {
  const named = error === '' ? [] : [`error="${error}"`, `error_description="${description}"`];
  const bearer = ['realm="relata"', ...(scheme === 'Bearer' ? named : [])].join(', ');
  const dpop = [...(scheme === 'DPoP' ? named : []), algorithms].join(', ');
  return oauthError('invalid_token', description, { 'www-authenticate': `Bearer ${bearer}, DPoP ${dpop}` });
}

/** 403 (RFC 6750, 3.1). */
export function insufficient(scope: string) {
  return oauthError('insufficient_scope', `The token needs the scope ${scope}.`, {
    'www-authenticate': `Bearer realm="relata", error="insufficient_scope", scope="${scope}"`,
  });
}

/** 403: an agent learns nothing of the person in whose name it acts. */
export function notOfThePerson() {
  return oauthError('insufficient_scope', 'Tokens from a delegation or an elevation cannot be used for user info.', {
    'www-authenticate': 'Bearer realm="relata", error="insufficient_scope", scope="openid"',
  });
}
