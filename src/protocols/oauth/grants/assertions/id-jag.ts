import type { Store } from '#engine';
import { readSettings } from '../../../../directory/settings/index.ts';

/** Names of the Identity Assertion JWT Authorization Grant (draft-ietf-oauth-identity-assertion-authz-grant). */
export const idJagUri = 'urn:ietf:params:oauth:token-type:id-jag';
export const idJagProfile = 'urn:ietf:params:oauth:grant-profile:id-jag';
/** As `typ` of the assertion has it. */
export const idJagType = 'oauth-id-jag+jwt';
export const idTokenUri = 'urn:ietf:params:oauth:token-type:id_token';

/** Whether the organization issues such assertions and takes them. To be called inside `Engine.read`. */
export function assertionsAreOn(store: Store): boolean {
  return readSettings(store).oauth.identityAssertions;
}
