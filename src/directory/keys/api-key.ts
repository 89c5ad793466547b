import { z } from 'zod';
import type { Store } from '#engine';
import { lastUseSchema } from '../../kernel/commits/index.ts';
import { sortFields } from '../../kernel/lists/index.ts';
import { defineRecord } from '../../kernel/records/index.ts';
import type { Resource } from '../../kernel/resources/index.ts';
import { invalid, permissionReferences, referencesSchema, requireRightsOf } from '../../kernel/transactions/index.ts';
import { isoTime, isoTimeOrNull } from '../../platform/index.ts';
import { changeRights, keyRights, toldAsProgram } from '../assignments/index.ts';
import { type KeyEntry, type KeyRecord, keyRecords, keySubject, mintKey } from '../records/index.ts';

/** When keys were last used, each with the key's id. */
export const keyUseRecords = defineRecord({
  collection: 'api_key_uses',
  holds: 'when an API key was last used',
  schema: lastUseSchema,
  tellsOfUse: true,
});

/** An API key as both families show it. */
export const keySchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  subject: z.string().describe('As the engine knows it: `api_key:{id}`'),
  tail: z.string().describe('The last four characters of the key'),
  createdAt: z.string(),
  createdBy: z.string(),
  expiresAt: z.string().nullable(),
  rotatedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
});

export const shownKeySchema = keySchema.extend({ key: z.string().describe('Shown this once') });

/** To be called inside a snapshot. */
export function keyView(store: Store, { id, document }: KeyEntry): z.output<typeof keySchema> {
  const { name, tail, createdAt, createdBy, expiresAt, rotatedAt } = document;
  return {
    id,
    name,
    subject: keySubject(id),
    tail,
    createdAt: isoTime(createdAt),
    createdBy,
    expiresAt: isoTimeOrNull(expiresAt),
    rotatedAt: isoTimeOrNull(rotatedAt),
    lastUsedAt: isoTimeOrNull(keyUseRecords.get(store, id)?.document.lastUsedAt),
  };
}

const name = z.string().min(1).max(200);
const RIGHTS_MAX = 100;
const roles = referencesSchema(RIGHTS_MAX).default([]).describe('Ids or slugs');
const permissions = permissionReferences(RIGHTS_MAX).default([]).describe('Numbers or slugs');
const expiry = z.iso.datetime({ offset: true });
const newBody = z.strictObject({ name, roles, permissions, expiresAt: expiry.optional() });
/** What is left out stays; `null` removes the expiry. */
const changedBody = z.strictObject({ name: name.optional(), expiresAt: expiry.nullable().optional() });

/** API keys of administrators. What a key may do are tuples. */
export const apiKey: Resource<KeyRecord, z.output<typeof newBody>, z.output<typeof changedBody>> = {
  ...toldAsProgram.key,
  records: keyRecords,
  title: 'key',
  path: 'api-keys',
  parameter: 'keyId',
  tags: ['API keys'],
  view: { schema: () => keySchema, of: keyView },
  list: {
    summary: 'List API keys',
    right: 'settings.manage',
    description: 'Searched by name.',
    definition: {
      text: ({ name }) => [name],
      sorts: sortFields('name', 'createdAt', 'expiresAt', 'rotatedAt'),
      filters: {},
    },
  },
  read: { summary: 'Get an API key', right: 'settings.manage' },
  create: {
    summary: 'Create an API key',
    description: 'With roles and permissions that the caller holds. The answer is the only one that shows the key.',
    right: 'settings.manage',
    errors: ['invalid_argument'],
    body: () => newBody,
    schema: shownKeySchema,
    create(transaction, { name, expiresAt, ...rights }) {
      const { caller, now } = transaction;
      const expires = expiresAt === undefined ? {} : { expiresAt: futureTime(expiresAt, now) };
      const facts = { name, createdAt: now, createdBy: caller.subject ?? 'platform', ...expires };
      const { id, key, document } = mintKey(transaction.newId(), facts);
      const { after } = changeRights(transaction, keyRights, { id, version: 0, document }, rights);
      return { id, document, beside: { after }, once: { key } };
    },
  },
  change: {
    summary: 'Change an API key',
    right: 'settings.manage',
    errors: ['refused'],
    forms: () => [{ method: 'PATCH', body: changedBody }],
    change(transaction, { id, document: { expiresAt: before, ...document } }, changes) {
      requireRightsOf(transaction, keySubject(id), 'key');
      const expiresAt = changedExpiry(before, changes.expiresAt, transaction.now);
      // with an expiry, a key is no administrator for good
      if (expiresAt !== undefined && before === undefined) transaction.limit(keySubject(id));
      const { name = document.name } = changes;
      return { document: { ...document, name, ...(expiresAt === undefined ? {} : { expiresAt }) } };
    },
  },
  rotate: {
    path: 'rotate',
    summary: 'Replace an API key',
    description: 'The old key fails at once. The answer is the only one that shows the new one.',
    right: 'settings.manage',
    rotate(transaction, { id, document: before }) {
      requireRightsOf(transaction, keySubject(id), 'key');
      const { key, document } = mintKey(id, { ...before, rotatedAt: transaction.now });
      return { document, once: { key } };
    },
  },
  delete: {
    summary: 'Revoke an API key',
    description: 'It fails on the next request, and every tuple that names it is deleted.',
    right: 'settings.manage',
    errors: ['refused'],
    isRevocation: true,
    delete(transaction, { id }) {
      requireRightsOf(transaction, keySubject(id), 'key');
      transaction.delete(keyUseRecords, id);
      transaction.deleteObject(keySubject(id));
    },
  },
};

function changedExpiry(before: number | undefined, said: string | null | undefined, now: number): number | undefined {
  if (said === undefined) return before;
  return said === null ? undefined : futureTime(said, now);
}

/** @throws ProblemError 400 */
function futureTime(said: string, now: number): number {
  const at = Date.parse(said);
  if (at <= now) throw invalid('expiresAt', 'must be in the future');
  return at;
}
