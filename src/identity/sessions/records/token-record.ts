import { z } from 'zod';
import type { Precondition, RecordEntry, Store } from '#engine';
import { areCurrent, epochsSchema, stillCurrent } from '../../../directory/epochs/index.ts';
import { agencyAsRead, agencyUntil } from '../../../directory/records/index.ts';
import { isBelieved } from '../../../directory/settings/index.ts';
import { agencySchema } from '../../../kernel/organizations/index.ts';
import { type DocumentOf, defineRecord } from '../../../kernel/records/index.ts';
import { timeKey } from '../../../platform/index.ts';
import { openIdFactsSchema } from './open-id-facts.ts';
import { expiryOf, getSession, isLiveSession, openKey, readLifetime, sessionAsRead } from './session-record.ts';

/** Who acts for somebody (RFC 8693, 4.1), and for whom it acts in turn. */
export interface ActorChain {
  /** As the engine knows it. */
  readonly subject: string;
  /** As `sub` has it. */
  readonly name: string;
  readonly act?: ActorChain;
}

const actorSchema: z.ZodType<ActorChain> = z.strictObject({
  subject: z.string(),
  name: z.string(),
  act: z.lazy(() => actorSchema).exactOptional(),
});

/** Where grants stand by their user and session; other tokens, if not under their grant, stand under the owner's name. */
export const grantIndexes = { user: 'grantUser', session: 'grantSession' } as const;

/** Where tokens stand by what they hang on. */
export const childIndexes = ['grant', 'parent'] as const;

/**
 * What is known of a token that was issued: never the token itself. Of an access token, the id is its `jti`. Times are
 * milliseconds since the epoch. A record of type `refresh` is a grant: it goes on through every refresh token that is
 * handed out for it, one at a time. Its time of expiry alone removes none: see `dueAt`.
 */
export const tokenRecords = defineRecord({
  collection: 'tokens',
  holds: 'what is known of a token or grant, never the token; until some time after its end',
  schema: z.strictObject({
    type: z.enum(['access', 'refresh']),
    clientId: z.string(),
    /** Absent where the client acts for itself. */
    userId: z.string().exactOptional(),
    /** It ends with this session. A token that outlives its session, as `offline_access` has it, names none. */
    sessionId: z.string().exactOptional(),
    /**
     * The grant that an access token was issued by. It lives only while the grant does, and is found through it by user
     * and session.
     */
    grantId: z.string().exactOptional(),
    /**
     * The token that it was exchanged for: it lives only while that does. Of an access token that an earlier version has
     * issued, also its grant.
     */
    parentId: z.string().exactOptional(),
    scopes: z.array(z.string()).readonly(),
    /** Whom it is for, where that is not the organization's own API. */
    audience: z.string().exactOptional(),
    /** Of a grant: all that tokens may be asked for with it (RFC 8707). */
    resources: z.array(z.string()).readonly().exactOptional(),
    /** Thumbprint of the key that its holder must prove (RFC 9449, 6). */
    jkt: z.string().exactOptional(),
    actor: actorSchema.exactOptional(),
    /** Where an agent acts by a delegation, or with what was lent to it: the token ends with that. */
    agency: agencySchema.exactOptional(),
    /** Where it was issued for an identity assertion: it counts while the organization believes that issuer. */
    assertedBy: z.string().exactOptional(),
    /** Of a grant: which of its refresh tokens counts, from 1. */
    generation: z.int().exactOptional(),
    /** Of a grant: when it ends however often it is used. */
    endsAt: z.number().exactOptional(),
    /** Of an access token only where a request asked for certain claims. */
    openId: openIdFactsSchema.exactOptional(),
    createdAt: z.number(),
    /** Never later than that of what it hangs on. */
    expiresAt: z.number(),
    /**
     * Of a grant that was used: when it is looked at whether it has expired, as its index has it. It is not later, and
     * moves only when it has come.
     */
    dueAt: z.number().exactOptional(),
    /** Written at most once a minute. */
    lastUsedAt: z.number().exactOptional(),
    /** Tokens of earlier versions have it. Nobody reads it. */
    digest: z.string().exactOptional(),
    /** When one of them passes, the token has ended. */
    epochs: epochsSchema,
  }),
  counted: ['#state'],
  indexes(document) {
    const { type, clientId, userId, sessionId, grantId, parentId, epochs } = document;
    const indexes: Record<string, string> = {
      '#state': openKey(epochs.tokens ?? 0),
      client: clientId,
      expires: timeKey(dueTimeOf(document)),
    };
    if (grantId !== undefined) {
      indexes.grant = grantId;
    } else {
      const isGrant = type === 'refresh';
      if (userId !== undefined) indexes[isGrant ? grantIndexes.user : 'user'] = userId;
      if (sessionId !== undefined) indexes[isGrant ? grantIndexes.session : 'session'] = sessionId;
    }
    if (parentId !== undefined) indexes.parent = parentId;
    return indexes;
  },
});

export type TokenRecord = DocumentOf<typeof tokenRecords>;
export type TokenEntry = RecordEntry<TokenRecord>;

/** When it has to be looked at whether it has expired. */
export function dueTimeOf({ dueAt, expiresAt }: Pick<TokenRecord, 'dueAt' | 'expiresAt'>): number {
  return dueAt ?? expiresAt;
}

/** Whether it is good, exactly, in the snapshot of the surrounding `Engine.read`. */
export function isLiveToken(store: Store, token: TokenRecord, now: number): boolean {
  return liveUntil(store, token, now) !== undefined;
}

/**
 * Until when it is good if nothing is committed: by its own time, its session's and those of what it hangs on.
 * `undefined` where it has ended. In the snapshot of the surrounding `Engine.read`.
 */
export function liveUntil(store: Store, token: TokenRecord, now: number): number | undefined {
  const { expiresAt, epochs, sessionId, grantId, parentId, agency, assertedBy } = token;
  if (now >= expiresAt || !areCurrent(store, epochs)) return undefined;
  if (assertedBy !== undefined && !isBelieved(store, assertedBy)) return undefined;
  let until = expiresAt;
  if (sessionId !== undefined) {
    const session = getSession(store, sessionId)?.document;
    const lifetime = readLifetime(store);
    if (session === undefined || !isLiveSession(store, session, lifetime, now)) return undefined;
    until = Math.min(until, expiryOf(session, lifetime));
  }
  if (agency !== undefined) {
    const agencyEnds = agencyUntil(store, agency, now);
    if (agencyEnds === undefined) return undefined;
    until = Math.min(until, agencyEnds);
  }
  for (const basisId of [grantId, parentId]) {
    if (basisId === undefined) continue;
    // what a token hangs on is older than it, and a chain of exchanges is bounded where it is made
    const basis = tokenRecords.get(store, basisId)?.document;
    const basisUntil = basis && liveUntil(store, basis, now);
    if (basisUntil === undefined) return undefined;
    until = Math.min(until, basisUntil);
  }
  return until;
}

/**
 * That a token, and all that it hangs on, stands as it was read: a command with it is not applied where it has ended
 * meanwhile. To be called inside `Engine.read`.
 */
export function liveAsRead(store: Store, id: string): Precondition[] {
  const entry = tokenRecords.get(store, id);
  if (entry === undefined) return [tokenRecords.absent(store, id)];
  const { epochs, sessionId, grantId, parentId, agency } = entry.document;
  return [
    tokenRecords.same(store, entry),
    ...stillCurrent(store, epochs),
    ...(sessionId === undefined ? [] : sessionAsRead(store, sessionId)),
    ...(agency === undefined ? [] : [agencyAsRead(store, agency)]),
    ...[grantId, parentId].flatMap((basisId) => (basisId === undefined ? [] : liveAsRead(store, basisId))),
  ];
}

/** The token with this id, while it is good. To be called inside `Engine.read`. */
export function liveToken(store: Store, id: string, now: number): TokenEntry | undefined {
  const entry = tokenRecords.get(store, id);
  return entry !== undefined && isLiveToken(store, entry.document, now) ? entry : undefined;
}
