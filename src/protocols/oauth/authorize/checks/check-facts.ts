import { oauthError } from '../../errors/index.ts';
import type { Check } from './check.ts';

const NONCE_MAX = 512;
const HINT_MAX = 320;
const ACR_VALUES_MAX = 10;

/** Bounded, as ID tokens carry it. */
export const checkNonce: Check = ({ parameters }) => {
  const nonce = parameters.one('nonce');
  if (nonce === undefined) return {};
  if (nonce.length > NONCE_MAX) throw oauthError('invalid_request', `nonce is longer than ${NONCE_MAX} characters.`);
  return { nonce };
};

/** Wishes, of which one that cannot be met is no error. */
export const checkAcrValues: Check = ({ parameters }) => {
  const values =
    parameters
      .one('acr_values')
      ?.split(' ')
      .filter((value) => value !== '') ?? [];
  return values.length === 0 ? {} : { acrValues: values.slice(0, ACR_VALUES_MAX).map((value) => value.slice(0, 128)) };
};

/** What a page cannot use, it does without. */
export const checkLoginHint: Check = ({ parameters }) => {
  const loginHint = parameters.one('login_hint');
  return loginHint === undefined || loginHint.length > HINT_MAX ? {} : { loginHint };
};

/** RFC 9449, 10. */
export const checkDpopKey: Check = ({ parameters }) => {
  const dpopJkt = parameters.one('dpop_jkt');
  if (dpopJkt === undefined) return {};
  if (!/^[A-Za-z0-9_-]{43}$/.test(dpopJkt)) {
    throw oauthError('invalid_request', 'dpop_jkt must be a SHA-256 thumbprint in base64url.');
  }
  return { dpopJkt };
};
