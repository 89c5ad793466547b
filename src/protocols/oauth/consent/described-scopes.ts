import type { Store } from '#engine';
import { findScope, scimScope, signalScopes } from '../../../directory/permissions/index.ts';
import { findPermission } from '../../../directory/records/index.ts';
import { systemPermissionText } from '../../../kernel/rights/index.ts';
import type { PlainKey, Texts } from '../../../texts/index.ts';
import { permissionsScope } from '../claims/index.ts';

const acting: ReadonlySet<string> = new Set([scimScope, signalScopes.manage, 'offline_access']);

/** A scope in words. */
export interface DescribedScope {
  readonly name: string;
  readonly text: string;
  /** Whether it lets the application act, beyond learning who the user is. */
  readonly acts: boolean;
}

const standard: Readonly<Record<string, PlainKey>> = {
  openid: 'consent.openid',
  profile: 'consent.profile',
  email: 'consent.emailScope',
  address: 'consent.address',
  phone: 'consent.phone',
  roles: 'consent.roles',
  groups: 'consent.groups',
  [permissionsScope]: 'consent.permissions',
  [scimScope]: 'consent.scim',
  [signalScopes.read]: 'consent.signalsRead',
  [signalScopes.manage]: 'consent.signalsManage',
  offline_access: 'consent.offline',
};

/** What a user is asked to agree to; in the organization's own words where the scope is its own. Inside a snapshot. */
export function describedScopes(t: Texts, store: Store, scopes: readonly string[]): DescribedScope[] {
  return scopes.map((name) => {
    const own = Object.hasOwn(standard, name) ? standard[name] : undefined;
    if (own !== undefined) return { name, text: t(own), acts: acting.has(name) };
    return { name, text: findScope(store, name)?.document.description || permissionText(t, store, name), acts: true };
  });
}

/** Its name says what is done, its description to what: several may share a description. */
function permissionText(t: Texts, store: Store, slug: string): string {
  const ofSystem = systemPermissionText(t, slug);
  if (ofSystem !== undefined) return ofSystem;
  const { name = slug, description = '' } = findPermission(store, slug)?.document ?? {};
  if (description === '') return name;
  return name === slug ? description : `${name}: ${description}`;
}
