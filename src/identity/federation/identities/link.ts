import type { Store } from '#engine';
import { type UserEntry, userRecords } from '../../../directory/records/index.ts';
import type { AuditEvent } from '../../../kernel/audit/index.ts';
import type { Part } from '../../../kernel/transactions/index.ts';
import { type ProviderEntry, providerRecords } from '../../providers/index.ts';
import type { ExternalIdentity } from '../upstreams/upstream.ts';
import { identityLinked, identityUnlinked } from './identity-events.ts';
import { type IdentityEntry, type IdentityRecord, identitiesOf, identityRecords } from './identity-record.ts';

/** Part of a command: what changes, what it rests on, and what is told of it. */
export type IdentityChange = Required<Part>;

export interface Linking {
  /** Of the new record. */
  readonly id: string;
  readonly provider: ProviderEntry;
  readonly identity: ExternalIdentity;
  readonly userId: string;
  readonly userEmail: string;
  readonly how: IdentityRecord['how'];
  readonly now: number;
}

/** A user who comes into being with the same command. */
export function link(store: Store, { id, provider, identity, userId, userEmail, how, now }: Linking): IdentityChange {
  const { issuer, subject, email } = identity;
  const document: IdentityRecord = {
    userId,
    providerId: provider.id,
    provider: provider.document.provider,
    issuer,
    subject,
    ...(email === undefined ? {} : { email }),
    how,
    linkedAt: now,
  };
  return {
    changes: [identityRecords.put(store, id, document)],
    // not switched off meanwhile, and not led elsewhere
    preconditions: [providerRecords.same(store, provider)],
    entries: [
      {
        eventType: 'identity.linked',
        action: 'identity.link',
        targetType: 'user',
        targetId: userId,
        metadata: { identityId: id, provider: document.provider, how },
        personal: { issuer, subject, email },
      },
    ],
    events: [identityLinked.of({ ...about({ id, document }, userEmail), reason: how })],
  };
}

/** A user who is there. The record is put as well, so that whoever deletes the user meanwhile sees the identity. */
export function linkUser(
  store: Store,
  user: UserEntry,
  linking: Omit<Linking, 'userId' | 'userEmail'>,
): IdentityChange {
  const { id: userId, document } = user;
  const linked = link(store, { ...linking, userId, userEmail: document.email });
  return {
    ...linked,
    changes: [...linked.changes, userRecords.put(store, userId, document)],
    preconditions: [...linked.preconditions, userRecords.same(store, user)],
  };
}

/** The user's record is put as well: of two who take one away at once, the second sees what the first has left. */
export function unlink(store: Store, entry: IdentityEntry, user: UserEntry): IdentityChange {
  return {
    changes: [identityRecords.delete(store, entry.id), userRecords.put(store, user.id, user.document)],
    preconditions: [identityRecords.same(store, entry), userRecords.same(store, user)],
    entries: [unlinked(entry)],
    events: [identityUnlinked.of({ ...about(entry, user.document.email), reason: 'removed' })],
  };
}

/**
 * Who came through a provider that did not vouch for the address may have given somebody else's. As soon as the address
 * is proved, these identities go: whoever reads its mail has not brought them. The command rests on the user's record.
 */
export function disownIdentities(store: Store, user: UserEntry): Omit<IdentityChange, 'preconditions'> {
  const own = user.document.emailVerified ? [] : identitiesOf(store, user.id);
  const strangers = own.some(({ document }) => document.how === 'registered') ? own : [];
  return {
    changes: strangers.map(({ id }) => identityRecords.delete(store, id)),
    entries: strangers.map(unlinked),
    events: strangers.map((entry) => identityUnlinked.of({ ...about(entry, user.document.email), reason: 'disowned' })),
  };
}

function unlinked({ id, document: { provider, issuer, subject, userId, email } }: IdentityEntry): AuditEvent {
  return {
    eventType: 'identity.unlinked',
    action: 'identity.unlink',
    targetType: 'user',
    targetId: userId,
    severity: 'warning',
    metadata: { identityId: id, provider },
    personal: { issuer, subject, email },
  };
}

function about({ id, document }: Pick<IdentityEntry, 'id' | 'document'>, email: string) {
  const { userId, providerId, provider } = document;
  return { userId, email, identityId: id, providerId, provider };
}
