import { z } from 'zod';
import type { AuditEvent } from '../../../kernel/audit/index.ts';
import { type DataOf, type DomainEvent, defineEvent } from '../../../kernel/events/index.ts';
import type { UserEntry } from '../../records/index.ts';
import { exampleUser, type OrgUser, orgUser, orgUserSchema } from '../view/user-view.ts';

/** An audit entry about a user. What tells something about the person goes into `personal`. */
export function aboutUser(
  userId: string,
  eventType: string,
  action: string,
  details: Pick<AuditEvent, 'metadata' | 'personal' | 'severity'> = {},
): AuditEvent {
  return { eventType, action, targetId: userId, targetType: 'user', ...details };
}

const about = {
  userId: z.string(),
  email: z.string(),
  /** As the org family shows the user, after what happened. */
  user: orgUserSchema,
};
const aboutOne = z.strictObject(about);
const example: About = { userId: exampleUser.id, email: exampleUser.email, user: exampleUser };

type About = z.output<typeof aboutOne>;

const asItIs = <Data extends object>(data: Data): Data => data;

/** The tenant family has another word for it. */
function inB({ user: { isBlocked: blocked, ...user } }: { readonly user: OrgUser }) {
  return { user: { ...user, blocked } };
}

function inC({ userId, email, user: { username, name } }: About) {
  return { user_id: userId, email, username, name };
}

/** What every catalog has, by the same name. */
function inEach<Name extends 'user.created' | 'user.updated' | 'user.deleted'>(name: Name) {
  return { a: { name, data: asItIs<About> }, b: { name, data: inB }, c: { name, data: inC } };
}

export const userCreated = defineEvent({
  type: 'user.created',
  data: aboutOne,
  example,
  becomes: inEach('user.created'),
});

export const userUpdated = defineEvent({
  type: 'user.updated',
  data: aboutOne,
  example,
  becomes: inEach('user.updated'),
});

export const userDeleted = defineEvent({
  type: 'user.deleted',
  data: aboutOne,
  example,
  becomes: inEach('user.deleted'),
});

export const userBlocked = defineEvent({
  type: 'user.blocked',
  data: aboutOne,
  example: { ...example, user: { ...exampleUser, isBlocked: true } },
  becomes: {
    a: { name: 'user.blocked', data: asItIs },
    b: { name: 'user.blocked', data: inB },
    c: { name: 'user.suspended', data: inC },
  },
});

export const userUnblocked = defineEvent({
  type: 'user.unblocked',
  data: aboutOne,
  example,
  becomes: { a: { name: 'user.unblocked', data: asItIs } },
});

export const userPasswordChanged = defineEvent({
  type: 'user.password_changed',
  data: z.strictObject({
    ...about,
    /** By an administrator; by whoever holds a link that was mailed; by the user, who gave the former one. */
    reason: z.enum(['set', 'reset', 'change']),
  }),
  example: { ...example, reason: 'reset' },
  becomes: {
    a: { name: 'user.password_changed', data: asItIs },
    b: { name: 'user.password_changed', data: (data) => ({ ...inB(data), reason: data.reason }) },
    c: { name: 'auth.password_reset', data: (data) => (data.reason === 'reset' ? inC(data) : undefined) },
  },
});

export const userMfaEnabled = defineEvent({
  type: 'user.mfa_enabled',
  data: z.strictObject({ ...about, factor: z.strictObject({ id: z.string(), type: z.string() }) }),
  example: { ...example, factor: { id: '01920000-0000-7000-8000-00000000000c', type: 'totp' } },
  becomes: {
    a: { name: 'user.mfa_enabled', data: asItIs },
    b: { name: 'user.mfa_enabled', data: (data) => ({ ...inB(data), factor: data.factor }) },
  },
});

export const userMfaDisabled = defineEvent({
  type: 'user.mfa_disabled',
  data: z.strictObject({
    ...about,
    /** The user took the last factor away; an administrator cleared all of them. */
    reason: z.enum(['removed', 'reset']),
  }),
  example: { ...example, reason: 'removed' },
  becomes: { a: { name: 'user.mfa_disabled', data: asItIs } },
});

/** What tells of a user: a type of events, or one that says something more. */
export interface UserTelling {
  of(about: DataOf<typeof userCreated>): DomainEvent;
}

/** An event with the user as it is afterwards. */
export function userEvent(
  type: UserTelling,
  user: UserEntry,
  given: { readonly roles: readonly string[]; readonly groups: readonly string[] },
): DomainEvent {
  return type.of({ userId: user.id, email: user.document.email, user: orgUser(user, given.roles, given.groups) });
}
