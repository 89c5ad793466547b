import { z } from 'zod';
import { type DomainEvent, defineEvent, resourceNames } from '../../kernel/events/index.ts';
import type { RoleEntry } from '../records/index.ts';

const role = z.strictObject({ id: z.string(), slug: z.string(), name: z.string() });
const exampleRole = { id: '01920000-0000-7000-8000-00000000000a', slug: 'editor', name: 'Editor' };

export const roleCreated = defineEvent({
  type: 'role.created',
  data: z.strictObject({ role }),
  example: { role: exampleRole },
  about: ({ role: { slug } }) => resourceNames({ role: slug }),
  becomes: { b: { name: 'role.created', data: (data) => data } },
});

export const roleUpdated = defineEvent({
  type: 'role.updated',
  data: z.strictObject({
    role,
    reason: z.enum(['changed', 'permission_added', 'permission_removed']),
    /** The permission that was put in or taken out. `id` is null where it has no record any more. */
    permission: z.strictObject({ id: z.string().nullable(), slug: z.string() }).nullable(),
  }),
  example: { role: exampleRole, reason: 'permission_added', permission: { id: '1001', slug: 'docs:read' } },
  about: ({ role: { slug } }) => resourceNames({ role: slug }),
  becomes: { b: { name: 'role.updated', data: (data) => data } },
});

export const roleEvents = {
  create: (entry: RoleEntry): DomainEvent => roleCreated.of({ role: about(entry) }),
  update: (entry: RoleEntry): DomainEvent =>
    roleUpdated.of({ role: about(entry), reason: 'changed', permission: null }),
  permission: (
    reason: 'permission_added' | 'permission_removed',
    permission: { readonly id: string | null; readonly slug: string },
    entry: RoleEntry,
  ): DomainEvent => roleUpdated.of({ role: about(entry), reason, permission }),
};

function about({ id, document: { slug, name } }: RoleEntry): z.output<typeof role> {
  return { id, slug, name };
}
