import { oauthError } from '../../errors/index.ts';
import { STATE_MAX } from '../request/answer-target.ts';
import type { Check } from './check.ts';

/** Ways to pass a request that are not served (OpenID Connect Core, 6 and 7.2.1), and how they are refused. */
const passed = [
  ['request', 'request_not_supported', 'Signed requests are not accepted: push the request instead.'],
  ['request_uri', 'request_uri_not_supported', 'Only requests that were pushed here have a request_uri.'],
  ['registration', 'registration_not_supported', 'Clients do not register themselves by a request.'],
] as const;

export const checkPassedObjects: Check = ({ parameters }) => {
  for (const [name, error, description] of passed) {
    if (parameters.one(name) !== undefined) throw oauthError(error, description);
  }
  return {};
};

/** RFC 6749, 3.1. Several resources are for a check of their own. */
export const checkOnce: Check = ({ parameters }) => {
  const repeated = parameters.names().find((name) => name !== 'resource' && parameters.isRepeated(name));
  if (repeated === undefined) return {};
  throw oauthError('invalid_request', `${repeated.slice(0, 64)} must be given once.`);
};

/** Clients could not tell an answer without their state from somebody else's. */
export const checkState: Check = ({ parameters }) => {
  if ((parameters.one('state') ?? '').length <= STATE_MAX) return {};
  throw oauthError('invalid_request', `state is longer than ${STATE_MAX} characters.`);
};

export const checkGrant: Check = ({ client }) => {
  if (client.document.grantTypes.includes('authorization_code')) return {};
  throw oauthError('unauthorized_client', 'The client is not registered for authorization_code.');
};
