import { z } from 'zod';
import type { RecordEntry, Store } from '#engine';
import { openIdFactsSchema } from '../../../identity/sessions/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import { digestOf } from '../../../platform/index.ts';

export const CODE_MS = 60_000;
/** How long a spent code is known. Later it is refused like one that never was. */
const SPENT_MS = 86_400_000;

const spentCodeSchema = z.strictObject({
  accessId: z.string(),
  grantId: z.string().exactOptional(),
});

export type SpentCode = Readonly<z.output<typeof spentCodeSchema>>;

/** What authorization codes stand for. A record's id is the SHA-256 of the code. Times are in milliseconds. */
export const codeRecords = defineRecord({
  collection: 'authorization_codes',
  holds: 'what an authorization code stands for, by its digest',
  schema: z.strictObject({
    clientId: z.string(),
    redirectUri: z.string(),
    codeChallenge: z.string().exactOptional(),
    dpopJkt: z.string().exactOptional(),
    userId: z.string(),
    sessionId: z.string(),
    scopes: z.array(z.string()).readonly(),
    resources: z.array(z.string()).readonly().exactOptional(),
    openId: openIdFactsSchema,
    /** Whether it counts only while the user's consent stands. */
    expectedConsentVersions: z.boolean(),
    expiresAt: z.number(),
    /** What it was spent for: a code that comes again takes it back. */
    spent: spentCodeSchema.exactOptional(),
    /** Only earlier versions have written it. Nothing reads it. */
    resource: z.string().exactOptional(),
  }),
  expires: {
    index: 'until',
    at: ({ expiresAt, spent }) => (spent === undefined ? expiresAt : expiresAt + SPENT_MS),
  },
});

export type CodeRecord = DocumentOf<typeof codeRecords>;
export type CodeEntry = RecordEntry<CodeRecord>;

/** The code, whatever its state. */
export function findCode(store: Store, code: string): CodeEntry | undefined {
  return codeRecords.get(store, digestOf(code));
}
