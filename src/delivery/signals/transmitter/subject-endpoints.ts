import { z } from 'zod';
import { findUserByEmail, getUser } from '../../../directory/records/index.ts';
import { type Endpoint, endpointFor, json, noContent } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { existing, refused, type Transaction, transact } from '../../../kernel/transactions/index.ts';
import { issuerUrls } from '../../../protocols/oauth/index.ts';
import { SUBJECTS_MAX, subjectId, subjectRecords } from '../records/subject-record.ts';
import { tellOfStream } from '../records/tell-of-stream.ts';
import { addedSubjectBody, removedSubjectBody, type Subject } from './stream-bodies.ts';
import { ownStream } from './stream-changes.ts';
import { signalsBase, type TransmitterDependencies, tags } from './transmitter-dependencies.ts';

const endpoint = endpointFor<Caller>();
const access = { scope: 'ssf.manage' } as const;
const errors = ['refused', 'unavailable'] as const;

/** SSF 1.0, 8.1.3. */
export function subjectEndpoints(dependencies: TransmitterDependencies): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: `${signalsBase}/subjects/add`,
      summary: 'Add a user to a stream',
      description:
        'A stream is about all users but those that were removed. Events about a user who was added by email name the user by email.',
      tags,
      access,
      body: addedSubjectBody,
      responses: { 200: z.strictObject({}) },
      errors,
      async handler(call) {
        const { stream_id: id, subject } = call.body;
        await transact(dependencies, call.caller, factsOf(call), (transaction) =>
          setSubject(transaction, id, subject, false),
        );
        return json(200, {});
      },
    }),
    endpoint({
      method: 'POST',
      path: `${signalsBase}/subjects/remove`,
      summary: 'Remove a user from a stream',
      description: 'From then on the stream has no events about the user.',
      tags,
      access,
      body: removedSubjectBody,
      responses: { 204: { description: 'There are no more events about the user.' } },
      errors,
      async handler(call) {
        const { stream_id: id, subject } = call.body;
        await transact(dependencies, call.caller, factsOf(call), (transaction) =>
          setSubject(transaction, id, subject, true),
        );
        return noContent();
      },
    }),
  ];
}

function setSubject(
  transaction: Transaction<TransmitterDependencies>,
  streamId: string,
  subject: Subject,
  isRemoved: boolean,
): void {
  const { store } = transaction;
  const stream = ownStream(transaction, streamId);
  const userId = userOf(transaction, subject);
  const id = subjectId(streamId, userId);
  const isNew = transaction.get(subjectRecords, id) === undefined;
  if (isNew && subjectRecords.index(store).counted('#stream', streamId) >= SUBJECTS_MAX)
    throw refused(`A stream has ${SUBJECTS_MAX} subjects at most that were added or removed.`);
  transaction.put(subjectRecords, id, { streamId, userId, isRemoved, format: subject.format });
  tellOfStream(transaction, isRemoved ? 'remove_subject' : 'add_subject', stream, { userId });
}

/** @throws ProblemError 404 where the organization has no such user */
function userOf({ store, caller, dependencies }: Transaction<TransmitterDependencies>, subject: Subject): string {
  const missing = 'There is no such user.';
  if (subject.format === 'email') return existing(findUserByEmail(store, subject.email), missing).id;
  const { issuer } = issuerUrls(dependencies.baseUrl, caller.organization.slug);
  return existing(subject.iss === issuer ? getUser(store, subject.sub) : undefined, missing).id;
}
