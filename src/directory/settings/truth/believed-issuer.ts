import type { Store } from '#engine';
import { readSettings } from './settings.ts';

/** Whether identity assertions of an issuer count in the organization now. To be called inside `Engine.read`. */
export function isBelieved(store: Store, issuer: string): boolean {
  const { identityAssertions, assertionIssuers } = readSettings(store).oauth;
  return identityAssertions && assertionIssuers.some((each) => each.issuer === issuer);
}
