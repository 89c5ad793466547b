import { z } from 'zod';
import { describedObject } from '../../../http/index.ts';
import { bulkRequestSchema } from '../bulk/read-bulk.ts';
import { patchSchema } from '../patch/parse-patch.ts';
import { describedType } from '../schema/described-type.ts';
import { groupType } from '../schema/group-type.ts';
import type { ResourceType } from '../schema/resource-type.ts';
import { userType } from '../schema/user-type.ts';

/** Bodies and answers as the description of the service shows them. Whatever they really are is judged elsewhere. */

const texts = z.array(z.string());

interface Described {
  /** What clients send: the whole resource. */
  readonly request: z.ZodType<Record<string, unknown>>;
  readonly answer: z.ZodType<Record<string, unknown>>;
  readonly list: z.ZodType;
}

const users = describe(userType);
const groups = describe(groupType);

export function describedResource({ name }: ResourceType): Described {
  return name === 'User' ? users : groups;
}

export const everyResourceList: z.ZodType = listOf(z.union([users.answer, groups.answer])).meta({
  id: 'ScimResourceList',
});

function describe(type: ResourceType): Described {
  const answer = describedObject(`Scim${type.name}`, describedType(type, 'answer'));
  return {
    request: describedObject(`Scim${type.name}Request`, describedType(type, 'request')),
    answer,
    list: listOf(answer).meta({ id: `Scim${type.name}List` }),
  };
}

function listOf(resource: z.ZodType) {
  return z.looseObject({
    schemas: texts,
    totalResults: z.int(),
    itemsPerPage: z.int(),
    startIndex: z.int().describe('Number of the first resource, starting at 1; in pages by index').optional(),
    nextCursor: z.string().describe('Where the next page begins; in pages by cursor, except the last').optional(),
    previousCursor: z.string().describe('Where the page before begins').optional(),
    Resources: z.array(resource).optional(),
  });
}

export const patchRequest = describedObject(
  'ScimPatchRequest',
  z.looseObject({
    schemas: texts.describe(`Names \`${patchSchema}\``),
    Operations: z
      .array(
        z.object({
          op: z.enum(['add', 'remove', 'replace']).describe('What is done'),
          path: z.string().describe('What it is done to, such as `emails[type eq "work"].value`').optional(),
          value: z.unknown().describe('What is added, or what takes the place of the old value').optional(),
        }),
      )
      .min(1)
      .describe('What is done, in this order'),
  }),
);

const bulkId = z.string().describe('A name that other operations of the request refer to as `bulkId:NAME`');

export const bulkRequest = describedObject(
  'ScimBulkRequest',
  z.looseObject({
    schemas: texts.describe(`Names \`${bulkRequestSchema}\``),
    failOnErrors: z.int().min(1).describe('After how many failed operations the rest is not attempted').optional(),
    Operations: z
      .array(
        z.object({
          method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
          path: z.string().describe('`/Users`, or `/Users/{id}`'),
          bulkId: bulkId.optional(),
          version: z.string().describe('The version that is changed, as in an ETag').optional(),
          data: z.record(z.string(), z.unknown()).describe('The body of the operation').optional(),
        }),
      )
      .min(1)
      .describe('Requests, in any order'),
  }),
);

export const bulkAnswer = z
  .looseObject({
    schemas: texts,
    Operations: z
      .array(
        z.looseObject({
          method: z.string().optional(),
          bulkId: z.string().describe('As in the request').optional(),
          version: z.string().describe('The version of the resource now').optional(),
          location: z.string().describe('The URL of the resource').optional(),
          status: z.string().describe('The status of the operation by itself, such as `201`'),
          response: z.record(z.string(), z.unknown()).describe('The answer to the operation by itself').optional(),
        }),
      )
      .describe('The result of each operation'),
  })
  .meta({ id: 'ScimBulkResponse' });
