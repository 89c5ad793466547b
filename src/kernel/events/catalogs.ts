import { z } from 'zod';
import { isoTime } from '../../platform/index.ts';
import type { EventMaker, StoredEvent } from './event-record.ts';

/**
 * The names of events in the three catalogs of the specification ("Events"): of the webhooks of the org family (a), of
 * the tenant family (b), and of the third form (c).
 */
export const catalogNames = {
  a: [
    'user.created',
    'user.updated',
    'user.deleted',
    'user.login',
    'user.logout',
    'user.blocked',
    'user.unblocked',
    'user.password_changed',
    'user.mfa_enabled',
    'user.mfa_disabled',
    'identity.linked',
    'identity.unlinked',
    'role.assigned',
    'role.unassigned',
    'group.member_added',
    'group.member_removed',
    'client.created',
    'client.deleted',
    'token.issued',
    'token.revoked',
    'consent.granted',
    'consent.revoked',
  ],
  b: [
    'user.created',
    'user.updated',
    'user.deleted',
    'user.blocked',
    'user.login',
    'user.login_failed',
    'user.mfa_enabled',
    'user.password_changed',
    'role.created',
    'role.updated',
    'token.issued',
    'token.revoked',
  ],
  c: [
    'auth.login.success',
    'auth.login.failure',
    'auth.logout',
    'auth.mfa.challenge',
    'auth.mfa.success',
    'auth.mfa.failure',
    'auth.password_reset',
    'user.created',
    'user.updated',
    'user.deleted',
    'user.suspended',
    'user.role.changed',
    'app.created',
    'app.deleted',
    'token.issued',
    'token.revoked',
    'security.brute_force',
    'security.impossible_travel',
    'security.high_risk',
    'security.account_lockout',
  ],
} as const;

/** Names beside those of the specification, which every catalog may have: what the service tells of itself. */
export const ownNames = [
  'webhook.disabled',
  'jit.requested',
  'jit.approved',
  'jit.denied',
  'jit.expired',
  'jit.revoked',
] as const;

export type Catalog = keyof typeof catalogNames;
export type OwnName = (typeof ownNames)[number];
export type NameIn<Of extends Catalog> = (typeof catalogNames)[Of][number] | OwnName;

export const catalogs = ['a', 'b', 'c'] as const satisfies readonly Catalog[];

/** Whose event it is. */
export interface EventSource {
  readonly id: string;
  readonly slug: string;
}

/** A catalog's word for an event, and what it says there. */
export interface Told {
  readonly name: string;
  readonly data: object;
}

/** The body of a delivery in each catalog, as JSON has it. */
export const catalogPayloads: {
  readonly [Of in Catalog]: (event: StoredEvent, source: EventSource, told: Told) => object;
} = {
  a: ({ id, createdAt }, { id: orgId }, { name, data }) => ({
    id,
    type: name,
    orgId,
    createdAt: isoTime(createdAt),
    data,
  }),
  b: ({ id, createdAt }, _, { name, data }) => ({ id, type: name, timestamp: isoTime(createdAt), data }),
  c: ({ id, createdAt }, { slug }, { name, data }) => ({
    id,
    type: name,
    timestamp: isoTime(createdAt),
    organization: slug,
    data,
  }),
};

const text = z.string();
const time = z.iso.datetime();

/** What those bodies look like. */
export const catalogBodies: { readonly [Of in Catalog]: (name: string, data: z.ZodType) => z.ZodType } = {
  a: (name, data) => z.strictObject({ id: text, type: z.literal(name), orgId: text, createdAt: time, data }),
  b: (name, data) => z.strictObject({ id: text, type: z.literal(name), timestamp: time, data }),
  c: (name, data) => z.strictObject({ id: text, type: z.literal(name), timestamp: time, organization: text, data }),
};

/**
 * Sent where somebody tries a webhook. It tells of nothing that has happened: it is in no catalog, never on record, and
 * has no type of events.
 */
export function testEvent(
  { newId, now }: EventMaker,
  webhook: { readonly id: string; readonly description: string | undefined },
): StoredEvent {
  return { id: newId(), type: 'webhook.test', createdAt: now(), data: { webhook } };
}
