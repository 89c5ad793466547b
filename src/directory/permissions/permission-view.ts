import { z } from 'zod';
import type { Store } from '#engine';
import type { Family } from '../../kernel/lists/index.ts';
import { permissionObject } from '../../kernel/rights/index.ts';
import { isoTime } from '../../platform/index.ts';
import type { PermissionEntry } from '../records/index.ts';

const GRANTED = 'granted';
const text = z.string().nullable();
const mayBeEmpty = z.string().describe('Empty where there is none');
const roleCount = z.int().describe('Roles that the permission is in');

/** specification, Permission, org family. */
export const orgPermissionSchema = z.strictObject({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  description: mayBeEmpty,
  resource: mayBeEmpty,
  action: mayBeEmpty,
  isSystem: z.boolean(),
  createdAt: z.string(),
});

/** specification, Permission, tenant family. */
export const tenantPermissionSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  description: text,
  category: text,
  isSystem: z.boolean(),
  roleCount,
});

export function permissionSchema(family: Family) {
  return family === 'org' ? orgPermissionSchema : tenantPermissionSchema;
}

export type PermissionView = z.output<typeof orgPermissionSchema> | z.output<typeof tenantPermissionSchema>;

/** A permission in the shape of its family. To be called inside a snapshot. */
export function permissionView(store: Store, { document }: PermissionEntry, family: Family): PermissionView {
  const { number: id, slug, name, isSystem } = document;
  if (family === 'tenant') {
    const { description = null, category = null } = document;
    return { id, name, slug, description, category, isSystem, roleCount: countRoles(store, slug) };
  }
  const { description = '', resource = '', action = '', createdAt } = document;
  return { id, slug, name, description, resource, action, isSystem, createdAt: isoTime(createdAt) };
}

/** Each request is written out: to spread one into the other takes longer than to count. */
export function countRoles(store: Store, slug: string): number {
  const object = permissionObject(slug);
  return store.countSubjects({ object, relation: GRANTED, subjectType: 'role', subjectRelation: 'assignee' });
}

/** Direct grants: what users have through roles and groups is not among them. */
export function countUsers(store: Store, slug: string): number {
  return store.countSubjects({ object: permissionObject(slug), relation: GRANTED, subjectType: 'user' });
}

export function permissionGrants(slug: string) {
  return { object: permissionObject(slug), relation: GRANTED };
}
