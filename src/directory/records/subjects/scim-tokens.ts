import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import type { AuditedKind } from '../../../kernel/actors/index.ts';
import { lastUseSchema } from '../../../kernel/commits/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import { createApiKey, digestOf } from '../../../platform/index.ts';

/**
 * Tokens that an organization's directory of people is provisioned with: never the tokens themselves. Their rights are
 * the same for all and stand in no tuple, so that the engine has no such subject. Times are in milliseconds.
 */
export const scimTokenRecords = defineRecord({
  collection: 'scim_tokens',
  holds: 'a SCIM token, by its digest',
  schema: z.strictObject({
    name: z.string(),
    /** SHA-256 of the token. */
    digest: z.string(),
    /** The last four characters, so that people recognise a token. */
    tail: z.string(),
    createdAt: z.number(),
    /** Engine subject of the creator; `platform` for the super administrator. */
    createdBy: z.string(),
    expiresAt: z.number(),
    rotatedAt: z.number().exactOptional(),
  }),
  unique: ({ digest }) => ({ digest }),
});

export type ScimTokenRecord = DocumentOf<typeof scimTokenRecords>;
export type ScimTokenEntry = RecordEntry<ScimTokenRecord>;

/** When tokens were last used, each with the token's id. */
export const scimTokenUseRecords = defineRecord({
  collection: 'scim_token_uses',
  holds: 'when a SCIM token was used last',
  schema: lastUseSchema,
  tellsOfUse: true,
});

/** What the text of a token begins with, so that a leak is recognised. */
const kind = 'scim';

/** A token, to be shown once, and what is kept of it. */
export function mintScimToken(): { readonly token: string } & Pick<ScimTokenRecord, 'digest' | 'tail'> {
  const token = createApiKey(kind);
  return { token, digest: digestOf(token), tail: token.slice(-4) };
}

export function maskedScimToken({ tail }: Pick<ScimTokenRecord, 'tail'>): string {
  return `rlt_${kind}_****${tail}`;
}

/** They act for themselves, and are no subjects of the engine. */
export const scimTokenKind = {
  type: 'scim_token',
  collection: scimTokenRecords.collection,
  auditedAs: 'scim_token',
} as const satisfies AuditedKind;

export function scimTokenSubject(id: string): string {
  return `scim_token:${id}`;
}

/** The token with this text, whether or not it has expired. Only digests are compared, by the index. */
/** The token that was made or rotated last, of those that have not expired. There are some dozens at most. */
export function newestScimToken(store: Store, now: number): ScimTokenRecord | undefined {
  let newest: ScimTokenRecord | undefined;
  for (const { document } of scimTokenRecords.all(store)) {
    if (now < document.expiresAt && (newest === undefined || madeAt(newest) <= madeAt(document))) newest = document;
  }
  return newest;
}

function madeAt({ createdAt, rotatedAt = createdAt }: ScimTokenRecord): number {
  return rotatedAt;
}
