import { resourcesOf } from '../../clients/index.ts';
import { oauthError } from '../../errors/index.ts';
import { resourceName } from '../../issuer.ts';
import type { Check } from './check.ts';

const RESOURCES_MAX = 10;

/** The APIs that tokens may be asked for with the code (RFC 8707, 2). */
export const checkResource: Check = ({ parameters, client, store, urls }) => {
  const resources = [...new Set(parameters.all('resource').map((uri) => resourceName(uri, urls)))];
  if (resources.length === 0) return {};
  const allowed = [urls.api, urls.mcp, ...resourcesOf(store, client)];
  if (resources.length > RESOURCES_MAX || !resources.every((each) => allowed.includes(each))) {
    throw oauthError('invalid_target', 'The client may get no tokens for this resource.');
  }
  return { resources };
};
