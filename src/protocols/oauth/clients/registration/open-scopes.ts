import type { Store } from '#engine';
import { findScope, ownScopeNames, serviceScopes } from '../../../../directory/permissions/index.ts';
import { isSystemPermission } from '../../../../kernel/rights/index.ts';

/**
 * Whether clients may ask for a scope that no administrator has registered: a scope of the organization's own. One that is
 * a permission of the system is for administrators to give, and so are those of the service. Inside a snapshot.
 */
export function isOpenScope(store: Store, name: string): boolean {
  return !isClosed(name) && findScope(store, name) !== undefined;
}

/** All of these, at most `limit`. Inside a snapshot. */
export function openScopes(store: Store, limit: number): string[] {
  return ownScopeNames(store, limit).filter((name) => !isClosed(name));
}

function isClosed(name: string): boolean {
  return serviceScopes.has(name) || isSystemPermission(name);
}
