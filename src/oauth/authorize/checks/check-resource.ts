import { oauthError } from '../../errors/index.ts';
import type { Check } from './check.ts';

/** RFC 8707, 2. */
export const checkResource: Check = ({ parameters, api }) => {
  const [resource, ...others] = new Set(parameters.all('resource'));
  if (resource === undefined) return {};
  if (resource !== api || others.length > 0) {
    throw oauthError('invalid_target', 'Tokens are for the organization’s own API alone.');
  }
  return { resource };
};
