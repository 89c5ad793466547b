import { z } from 'zod';
import { findUserByEmail, getUser } from '../../../directory/records/index.ts';
import { type Endpoint, ProblemError, tooManyRequests } from '../../../http/index.ts';
import { existing, refused } from '../../../kernel/transactions/index.ts';
import { issuerUrls } from '../../../protocols/oauth/index.ts';
import { streamRecords, streamVerification, tellOfStream } from '../records/stream-record.ts';
import { SUBJECTS_MAX, subjectId, subjectRecords } from '../records/subject-record.ts';
import { ownStream } from './stream-changes.ts';
import {
  addedSubjectBody,
  removedSubjectBody,
  type Subject,
  VERIFICATION_GAP_S,
  verificationBody,
} from './stream-view.ts';
import { type StreamTransaction, streamChanging, type TransmitterDependencies } from './transmitter-endpoint.ts';

/** SSF 1.0, 8.1.3. */
export function subjectEndpoints(dependencies: TransmitterDependencies): Endpoint[] {
  return [
    streamChanging(dependencies, {
      method: 'POST',
      path: '/subjects/add',
      summary: 'Add a user to a stream',
      description:
        'A stream is about all users but those that were removed. Events about a user who was added by email name the user by email.',
      body: addedSubjectBody,
      errors: ['refused'],
      answer: { status: 200, schema: z.strictObject({}), of: () => ({}) },
      change: (transaction, { body }) => setSubject(transaction, body.stream_id, body.subject, false),
    }),
    streamChanging(dependencies, {
      method: 'POST',
      path: '/subjects/remove',
      summary: 'Remove a user from a stream',
      description: 'From then on the stream has no events about the user.',
      body: removedSubjectBody,
      errors: ['refused'],
      answer: 'There are no more events about the user.',
      change: (transaction, { body }) => setSubject(transaction, body.stream_id, body.subject, true),
    }),
  ];
}

/** SSF 1.0, 8.1.4: the event goes the way of all others, behind those that wait. */
export function verificationEndpoint(dependencies: TransmitterDependencies): Endpoint {
  return streamChanging(dependencies, {
    method: 'POST',
    path: '/verify',
    summary: 'Ask for a verification event',
    description: `At most once in ${VERIFICATION_GAP_S} seconds for each stream. A disabled one drops it.`,
    body: verificationBody,
    answer: 'The event is on its way.',
    change(transaction, { body: { stream_id: id, state = null } }) {
      const { now } = transaction;
      const entry = ownStream(transaction, id);
      const { document } = entry;
      const waitMs = (document.verifiedAt ?? Number.NEGATIVE_INFINITY) + VERIFICATION_GAP_S * 1000 - now;
      if (waitMs > 0) throw new ProblemError(tooManyRequests(Math.ceil(waitMs / 1000)));
      transaction.put(streamRecords, id, { ...document, verifiedAt: now });
      transaction.emit(streamVerification.of({ streamId: id, clientId: document.clientId, state }));
      tellOfStream(transaction, 'verify', entry);
      return id;
    },
  });
}

function setSubject(transaction: StreamTransaction, streamId: string, subject: Subject, isRemoved: boolean): string {
  const { store } = transaction;
  const stream = ownStream(transaction, streamId);
  const userId = userOf(transaction, subject);
  const id = subjectId(streamId, userId);
  const isNew = transaction.get(subjectRecords, id) === undefined;
  if (isNew && subjectRecords.index(store).counted('#stream', streamId) >= SUBJECTS_MAX)
    throw refused(`A stream has ${SUBJECTS_MAX} subjects at most that were added or removed.`);
  transaction.put(subjectRecords, id, { streamId, userId, isRemoved, format: subject.format });
  tellOfStream(transaction, isRemoved ? 'remove_subject' : 'add_subject', stream, { userId });
  return streamId;
}

/** @throws ProblemError 404 where the organization has no such user */
function userOf({ store, caller, dependencies }: StreamTransaction, subject: Subject): string {
  const missing = 'There is no such user.';
  if (subject.format === 'email') return existing(findUserByEmail(store, subject.email), missing).id;
  const { issuer } = issuerUrls(dependencies.baseUrl, caller.organization.slug);
  return existing(subject.iss === issuer ? getUser(store, subject.sub) : undefined, missing).id;
}
