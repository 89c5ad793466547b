import { z } from 'zod';
import type { Store } from '../../../engine/index.ts';
import { userHolder, userRole } from '../../../src/directory/assignments/index.ts';
import { assign, defineAssignment, revoke } from '../../../src/kernel/assignments/index.ts';
import { defineEvent, resourceNames } from '../../../src/kernel/events/index.ts';
import { ofResource, steppedJob } from '../../../src/kernel/modules/index.ts';
import { sweepOrganizations, type WalkDependencies } from '../../../src/kernel/organizations/index.ts';
import { defineRecord } from '../../../src/kernel/records/index.ts';
import { ItemEndpoints, type Resource } from '../../../src/kernel/resources/index.ts';

const schema = z.strictObject({ slug: z.string().max(64), author: z.string().max(64), until: z.number() });

const records = defineRecord({
  collection: 'badges',
  holds: 'a record of a test',
  schema,
  unique: ({ slug }) => ({ slug }),
  indexes: ({ author }) => ({ author }),
  expires: { index: 'until', at: ({ until }) => until },
  userKey: { index: 'author' },
  exported: (document) => document,
});

const data = schema.pick({ slug: true });
const about = ({ slug: badge }: z.output<typeof data>) => resourceNames({ badge });
const made = defineEvent({ type: 'badge.new', data, example: { slug: 'a' }, about, becomes: {} });

const badge: Resource<z.output<typeof schema>, z.output<typeof schema>> = {
  records,
  name: 'badge',
  path: 'badges',
  parameter: 'badgeId',
  tags: ['Badges'],
  view: { schema: () => schema.extend({ id: z.string() }), of: (_, { id, document }) => ({ id, ...document }) },
  audited: ({ document: { slug } }) => ({ metadata: { slug } }),
  events: { create: ({ document }) => made.of({ slug: document.slug }) },
  list: {
    summary: 'List badges',
    right: 'users.read',
    definition: { text: ({ slug }) => [slug], sorts: { slug: ({ slug }) => slug }, filters: {} },
  },
  create: {
    summary: 'Create a badge',
    right: 'users.update',
    body: () => schema,
    create: (transaction, document) => ({ id: transaction.newId(), document }),
  },
  delete: { summary: 'Delete a badge', right: 'users.update' },
};

const award = defineAssignment({
  assignable: { type: 'badge', relation: 'holder', records, slugOf: ({ slug }) => slug, right: 'users.update' },
  holder: userRole.holder,
});

const left = (store: Store, limit: number) =>
  records.deletions(store, records.index(store).ids('author', 'nobody', { limit }));

/** A kind of thing that the service has never heard of: this is all that it takes to add one. */
export const badgesModule = {
  name: 'badges',
  types: 'type badge\n  relations\n    define holder: [user]',
  records: [records],
  assignments: [award],
  events: [made],
  jobs: [
    steppedJob({ name: 'badges', runs: 'in the cluster' }, (services: WalkDependencies) =>
      sweepOrganizations(services, 'badges', { plan: (store, limit) => ({ changes: left(store, limit) }) }),
    ),
  ],
  ...ofResource(badge, (services, base, family) =>
    (['POST', 'DELETE'] as const).map((method) =>
      new ItemEndpoints(badge, services, base, family).change({
        method,
        path: 'users/{userId}',
        summary: 'Award a badge, or withdraw it',
        right: 'users.update',
        run(transaction, entry, { params: { userId = '' } }) {
          const user = userHolder(transaction.store, userId);
          if (method === 'POST') assign(transaction, award, entry, [user]);
          else revoke(transaction, award, entry.document.slug, user);
        },
      }),
    ),
  ),
};
