import { z } from 'zod';
import type { Change, Precondition, Store } from '#engine';
import { digestOf } from '../../platform/index.ts';
import { type Caller, lentSubject } from '../organizations/index.ts';
import { defineRecord } from '../records/index.ts';
import type { Revocation } from './revocation.ts';

/**
 * Only the versions of these records say anything. The version of `rights` grows when rights of many, or full
 * administration, may be revoked. The version of a subject's record grows when rights of one of its subjects may be.
 * Nothing removes these records: an organization has at most 4,097, and they name nobody.
 */
export const administrationRecords = defineRecord({
  collection: 'administration',
  holds: 'a counter that grows when rights are taken; it names nobody',
  schema: z.strictObject({}),
});

const rightsId = 'rights';

/** A command that revokes rights of more subjects writes one record for all of them. */
const SUBJECTS_MAX = 16;

/** The record of a subject: one of 4,096, which it shares with others where there are many. */
export function rightsIdOf(subject: string): string {
  return `subjects-${digestOf(subject).slice(0, 2)}`;
}

/** The subjects whose rights a caller's command depends on; none for the super administrator, who has no tuples. */
export function rightsHolders({
  subject,
  actor,
  agency,
}: Pick<Caller, 'subject' | 'actor' | 'agency'>): readonly string[] {
  return [subject, actor, agency && lentSubject(agency)].filter((each) => each !== undefined);
}

/** What a command must carry in addition. */
export interface Kept {
  readonly changes: readonly Change[];
  readonly preconditions: readonly Precondition[];
}

/** Goes with the end of rights without tuples, of one subject or of many: commands that depend on them wait for it. */
export function rightsEnded({ name }: Pick<Store, 'name'>, subject?: string): Change {
  return administrationRecords.put({ name }, subject === undefined ? rightsId : rightsIdOf(subject), {});
}

export interface Resting {
  /** What the command may revoke. */
  readonly revocations: readonly Revocation[];
  /** Whether revoking rights of one subject can concern others too, as under a model that is not plain. */
  readonly isOfMany: boolean;
  /** Whose rights the command depends on. */
  readonly holders: readonly string[];
}

/**
 * Rights are judged before a command is applied. A command that may revoke a right writes a record. One that depends on
 * rights requires the versions in the snapshot of its plan: whoever is demoted in between does not get through.
 * Commands that only assign never wait. Revocations for different subjects do not wait for each other.
 */
export function restOnRights(store: Store, { revocations, isOfMany, holders }: Resting): Kept {
  if (revocations.length === 0) return { changes: [], preconditions: sameRights(store, holders) };
  return {
    changes: writtenBy(revocations, isOfMany).map((id) => administrationRecords.put(store, id, {})),
    preconditions: asRead(store, holders),
  };
}

/** What a command requires that revokes nothing and depends on the rights of `holders`: nothing, if there are none. */
export function sameRights(store: Store, holders: readonly string[]): readonly Precondition[] {
  return holders.length === 0 ? [] : asRead(store, holders);
}

function asRead(store: Store, holders: readonly string[]): readonly Precondition[] {
  const ids = new Set([rightsId, ...holders.map(rightsIdOf)]);
  return [...ids].map((id) => administrationRecords.asRead(store, id, administrationRecords.get(store, id)));
}

function writtenBy(revocations: readonly Revocation[], isOfMany: boolean): readonly string[] {
  const written = new Set<string>();
  for (const { from } of revocations) {
    if (isOfMany || from === undefined || written.size >= SUBJECTS_MAX) return [rightsId];
    written.add(rightsIdOf(from));
  }
  return [...written];
}
