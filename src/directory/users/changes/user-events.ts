import { z } from 'zod';
import type { Store } from '#engine';
import type { AuditEvent } from '../../../kernel/audit/index.ts';
import { type DataOf, type DomainEvent, defineEvent, resourceNames } from '../../../kernel/events/index.ts';
import { slugsOf, type UserEntry, userSubject } from '../../records/index.ts';
import { exampleUser, type ToldUser, toldUser, toldUserSchema } from '../view/user-view.ts';

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
  /** After what happened, in the shape of the org family; what the user lacks is null. */
  user: toldUserSchema,
};
const aboutOne = z.strictObject(about);
const example: About = { userId: exampleUser.id, email: exampleUser.email, user: exampleUser };

type About = z.output<typeof aboutOne>;

const resources = ({ userId }: { readonly userId: string }) => resourceNames({ user: userId });

/** What an event says that says nothing but the user. */
const plain = { data: aboutOne, example, about: resources };

const { isBlocked, ...sameInB } = toldUserSchema.shape;
const schemaInB = z.strictObject({ user: z.strictObject({ ...sameInB, blocked: isBlocked }) });
const schemaInC = z.strictObject({
  user_id: about.userId,
  email: about.email,
  username: sameInB.username,
  name: sameInB.name,
});

/** The tenant family has another word for it. */
function inB({ user: { isBlocked: blocked, ...user } }: { readonly user: ToldUser }) {
  return { user: { ...user, blocked } };
}

function inC({ userId, email, user: { username, name } }: About) {
  return { user_id: userId, email, username, name };
}

/** What every catalog has, by the same name. */
function inEach<Name extends 'user.created' | 'user.updated' | 'user.deleted'>(name: Name) {
  return {
    a: { name },
    b: { name, schema: schemaInB, data: inB },
    c: { name, schema: schemaInC, data: inC },
  };
}

export const userCreated = defineEvent({
  type: 'user.created',
  ...plain,
  becomes: inEach('user.created'),
});

export const userUpdated = defineEvent({
  type: 'user.updated',
  ...plain,
  becomes: inEach('user.updated'),
});

export const userDeleted = defineEvent({
  type: 'user.deleted',
  ...plain,
  becomes: inEach('user.deleted'),
});

export const userBlocked = defineEvent({
  type: 'user.blocked',
  ...plain,
  example: { ...example, user: { ...exampleUser, isBlocked: true } },
  becomes: {
    a: { name: 'user.blocked' },
    b: { name: 'user.blocked', schema: schemaInB, data: inB },
    c: { name: 'user.suspended', schema: schemaInC, data: inC },
  },
});

/** Beside `user.updated`: whoever is told of suspended users alone hears of those that provisioning turns off. */
export const userDeactivated = defineEvent({
  type: 'user.deactivated',
  ...plain,
  example: { ...example, user: { ...exampleUser, isActive: false } },
  becomes: { c: { name: 'user.suspended', schema: schemaInC, data: inC } },
});

export const userUnblocked = defineEvent({
  type: 'user.unblocked',
  ...plain,
  becomes: { a: { name: 'user.unblocked' } },
});

/** By an administrator; by whoever holds a link that was mailed; by the user, who gave the former one. */
const passwordReason = z.enum(['set', 'reset', 'change']);

export const userPasswordChanged = defineEvent({
  type: 'user.password_changed',
  data: z.strictObject({ ...about, reason: passwordReason }),
  example: { ...example, reason: 'reset' },
  about: resources,
  becomes: {
    a: { name: 'user.password_changed' },
    b: {
      name: 'user.password_changed',
      schema: schemaInB.extend({ reason: passwordReason }),
      data: (data) => ({ ...inB(data), reason: data.reason }),
    },
    c: {
      name: 'auth.password_reset',
      schema: schemaInC,
      data: (data) => (data.reason === 'reset' ? inC(data) : undefined),
    },
  },
});

const factor = z.strictObject({ id: z.string(), type: z.string() });

export const userMfaEnabled = defineEvent({
  type: 'user.mfa_enabled',
  data: z.strictObject({ ...about, factor }),
  example: { ...example, factor: { id: '01920000-0000-7000-8000-00000000000c', type: 'totp' } },
  about: resources,
  becomes: {
    a: { name: 'user.mfa_enabled' },
    b: {
      name: 'user.mfa_enabled',
      schema: schemaInB.extend({ factor }),
      data: (data) => ({ ...inB(data), factor: data.factor }),
    },
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
  about: resources,
  becomes: { a: { name: 'user.mfa_disabled' } },
});

export const userEvents = [
  userCreated,
  userUpdated,
  userDeleted,
  userBlocked,
  userDeactivated,
  userUnblocked,
  userPasswordChanged,
  userMfaEnabled,
  userMfaDisabled,
];

/** What tells of a user: a type of events, or one that says something more. */
export interface UserTelling {
  of(about: DataOf<typeof userCreated>): DomainEvent;
}

/** What is told of a user, whichever version it gets. */
type Told = Pick<UserEntry, 'id' | 'document'>;

type Assigned = Readonly<Record<'roles' | 'groups', readonly string[]>>;

/** The roles and groups of a user, as events tell of them. */
export function assignedTo(store: Store, id: string): Assigned {
  const subject = userSubject(id);
  return { roles: slugsOf(store, subject, 'role'), groups: slugsOf(store, subject, 'group') };
}

/** An event with the user as it is afterwards. */
export function userEvent(type: UserTelling, user: Told, assigned: Assigned): DomainEvent {
  return type.of({
    userId: user.id,
    email: user.document.email,
    user: toldUser(user, assigned.roles, assigned.groups),
  });
}
