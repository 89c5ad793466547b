import { z } from 'zod';
import { descriptionSchema, labelSchema, nameSchema, writableBody } from '../admin/index.ts';
import type { Family } from '../lists/index.ts';
import { slugSchema } from '../orgs/index.ts';
import type { NewPermission, PermissionFields } from './permission-service.ts';

const description = descriptionSchema.nullable().optional();
const label = labelSchema.nullable().optional();

const orgNew = z.strictObject({
  slug: slugSchema.describe('`resource:action` by convention'),
  name: nameSchema.describe('The slug where omitted').optional(),
  description,
  resource: label.describe('The slug says it where it has a colon'),
  action: label,
});
const tenantNew = z.strictObject({
  name: nameSchema,
  slug: slugSchema.describe('Made from the name where omitted').optional(),
  description,
  category: label,
});

export function newPermissionBody(family: Family): z.ZodType<NewPermission> {
  return family === 'org' ? orgNew : tenantNew;
}

const orgChanged = writableBody({ name: nameSchema.optional(), description, resource: label, action: label }, [
  'id',
  'slug',
  'isSystem',
  'createdAt',
]);
const tenantChanged = writableBody({ name: nameSchema.optional(), description, category: label }, [
  'id',
  'slug',
  'isSystem',
  'roleCount',
]);

export function changedPermissionBody(family: Family): z.ZodType<PermissionFields> {
  return family === 'org' ? orgChanged : tenantChanged;
}
