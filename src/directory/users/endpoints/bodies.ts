import { z } from 'zod';
import { queryBoolean } from '../../../http/index.ts';
import { adminBounds, listParameters } from '../../../kernel/lists/index.ts';
import { idSchema, permissionReference, referencesSchema } from '../../../kernel/transactions/index.ts';
import { emailSchema } from '../profile/email.ts';
import { metadataSchema } from '../profile/metadata.ts';
import { writtenProfileShape } from '../profile/profile.ts';
import { userSorts } from '../view/user-list.ts';

/** The policy of the organization says how long it must be; this is what one may cost to hash. */
const password = z.string().min(1).max(256);
const requireChange = z.boolean().describe('Whether the next login asks for a new password');
const ASSIGNED_MAX = 100;
const references = referencesSchema(ASSIGNED_MAX).describe('Ids or slugs');

export const newUserBody = z.strictObject({
  email: emailSchema,
  password: password.optional().describe('Where omitted, the user sets one at the first login'),
  requireChange: requireChange.optional(),
  ...writtenProfileShape,
  emailVerified: z.boolean().default(false),
  isActive: z.boolean().default(true),
  roles: references.default([]),
  groups: references.default([]),
  metadata: metadataSchema.default({}),
});

export const userChangesShape = {
  email: emailSchema.optional(),
  ...writtenProfileShape,
  emailVerified: z.boolean().optional(),
  isActive: z.boolean().optional(),
  metadata: metadataSchema.optional(),
};

/** What a user shows and nobody writes. */
export const readOnlyFields = [
  'id',
  'number',
  'isBlocked',
  'blocked',
  'mfaEnabled',
  'roles',
  'groups',
  'createdAt',
  'updatedAt',
  'lastLoginAt',
  'loginCount',
  'externalId',
  'scim',
];

export const passwordBody = z.strictObject({ password, requireChange: requireChange.optional() });

export const slugsBody = {
  roles: z.strictObject({ roles: references }),
  groups: z.strictObject({ groups: references }),
};

const id = idSchema.describe('Id or slug');

export const assignmentBodies = {
  roles: z.strictObject({ roleId: id }),
  groups: z.strictObject({ groupId: id }),
  permissions: z.strictObject({ permissionId: permissionReference }),
};

export const usersQuery = z.strictObject({
  ...listParameters(adminBounds, userSorts),
  isActive: queryBoolean.optional(),
  isBlocked: queryBoolean.optional(),
  blocked: queryBoolean.optional().describe('The same as `isBlocked`'),
  emailVerified: queryBoolean.optional(),
  mfaEnabled: queryBoolean.optional(),
  role: idSchema.optional().describe('Id or slug of a role that the user has by itself'),
  group: idSchema.optional().describe('Id or slug of a group'),
});
