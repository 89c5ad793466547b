import { oauthError } from '../../errors/index.ts';
import { responseModes } from '../request/authorization-request.ts';
import type { Check } from './check.ts';

export const checkResponseType: Check = ({ parameters }) => {
  const type = parameters.one('response_type');
  if (type === undefined) throw oauthError('invalid_request', 'response_type is missing.');
  if (type !== 'code') throw oauthError('unsupported_response_type', 'The only response type is code.');
  return {};
};

/** The mode itself stands in the target of the answer already. */
export const checkResponseMode: Check = ({ parameters }) => {
  const mode = parameters.one('response_mode');
  if (mode === undefined || responseModes.some((each) => each === mode)) return {};
  throw oauthError('invalid_request', `response_mode must be one of ${responseModes.join(', ')}.`);
};
