import type { Change, Store } from '#engine';
import { inEnglish } from '../../http/index.ts';
import { adminRole, type SystemPermission, systemPermissions } from '../../kernel/rights/index.ts';
import { said } from '../../texts/index.ts';
import { putPermission } from './permissions.ts';
import { roleRecords } from './roles.ts';

/** Numbers below this are the system's; an organization's own permissions begin here. */
export const firstOwnNumber = 1000;

/** The records of the system's role and permissions, with which every organization begins. */
export function systemRecords(at: Pick<Store, 'name'>, newId: () => string, now: number): Change[] {
  const times = { createdAt: now, updatedAt: now };
  const role = roleRecords.put(at, newId(), {
    slug: adminRole,
    name: 'Tenant administrator',
    description: 'Holds every permission of the system',
    isSystem: true,
    ...times,
  });
  return [role, ...putSystemPermissions(at, Object.keys(systemPermissions) as SystemPermission[], now)];
}

/** A system permission has the same number in every organization: its index in the table, which only grows. */
export function putSystemPermissions(
  at: Pick<Store, 'name'>,
  slugs: readonly SystemPermission[],
  now: number,
): Change[] {
  const all = Object.keys(systemPermissions);
  return slugs.map((slug) => {
    const [resource = '', action = ''] = slug.split(/[.:]/);
    return putPermission(at, {
      number: all.indexOf(slug) + 1,
      slug,
      name: slug,
      description: inEnglish(said(systemPermissions[slug])),
      resource,
      action,
      category: 'system',
      isSystem: true,
      createdAt: now,
      updatedAt: now,
    });
  });
}
