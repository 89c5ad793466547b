import type { Store } from '#engine';
import { findScope, scimScope, signalScopes } from '../../../directory/permissions/index.ts';
import { findPermission } from '../../../directory/records/index.ts';
import { permissionsScope } from '../claims/index.ts';

const acting: ReadonlySet<string> = new Set([scimScope, signalScopes.manage, 'offline_access']);

/** A scope in words. */
export interface DescribedScope {
  readonly name: string;
  readonly text: string;
  /** Whether it lets the application act, beyond learning who the user is. */
  readonly acts: boolean;
}

const standard: Readonly<Record<string, string>> = {
  openid: 'Recognise you when you sign in',
  profile: 'See your profile: name, user name, picture, language and time zone',
  email: 'See your e-mail address',
  address: 'See your postal address',
  phone: 'See your telephone number',
  roles: 'See which roles you have',
  groups: 'See which groups you are in',
  [permissionsScope]: 'See what you are allowed to do here',
  [scimScope]: 'Create, change and remove users and groups here, as far as you may',
  [signalScopes.read]: 'Nothing more: only applications that act for themselves read security events',
  [signalScopes.manage]: 'Nothing more: only applications that act for themselves receive security events',
  offline_access: 'Keep access when you have signed out',
};

/** What a user is asked to agree to; in the organization's own words where the scope is its own. Inside a snapshot. */
export function describedScopes(store: Store, scopes: readonly string[]): DescribedScope[] {
  return scopes.map((name) => {
    const own = Object.hasOwn(standard, name) ? standard[name] : undefined;
    if (own !== undefined) return { name, text: own, acts: acting.has(name) };
    return { name, text: findScope(store, name)?.document.description || permissionText(store, name), acts: true };
  });
}

/** Its name says what is done, its description to what: several may share a description. */
function permissionText(store: Store, slug: string): string {
  const { name = slug, description = '' } = findPermission(store, slug)?.document ?? {};
  if (description === '') return name;
  return name === slug ? description : `${name}: ${description}`;
}
