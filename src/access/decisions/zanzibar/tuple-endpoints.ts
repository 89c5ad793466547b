import { z } from 'zod';
import { type Endpoint, endpointFor, json, queryInteger } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import { type Caller, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { revision } from '../checks/decision-reply.ts';
import { queryReply } from '../checks/endpoints.ts';
import { tupleAnswer } from '../context/tuple-form.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import { writeBody } from './bodies.ts';
import { writeTuples } from './write-tuples.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Tuples'];
const part = z.string().min(1).max(1024);

/** Tuples and their changes, in both families. */
export function tupleEndpoints(dependencies: AuthzDependencies): Endpoint[] {
  return inBothFamilies((base) => [
    writeEndpoint(dependencies, base),
    readEndpoint(dependencies, base),
    watchEndpoint(dependencies, base),
  ]);
}

function writeEndpoint(dependencies: AuthzDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/zanzibar/tuples`,
    summary: 'Write and delete tuples',
    description:
      'Writing a tuple again replaces its condition and expiry; deleting an absent one is no error. All is done, or ' +
      'nothing is. Tuples on `group`, `role` and `permission` also need the permission to manage those, and cannot ' +
      'give what the caller does not hold. One that names a group, role or permission without a record makes the ' +
      'record in the same commit, where the caller may create it (`groups.create` and its like). Those of policies and ' +
      'elevations are not written here. The audit log has an entry for each request, with counts and a sample, or as ' +
      'the setting `tupleAudit` says.',
    tags,
    access: { permission: 'tuples.write' },
    body: writeBody(dependencies.limits.tuplesPerWrite),
    responses: { 200: z.strictObject({ revision }) },
    errors: [
      'invalid_argument',
      'invalid_tuple',
      'invalid_context',
      'unknown_type',
      'unknown_relation',
      'unknown_condition',
      'too_large',
      'conflict',
      'precondition_failed',
      'model_changed',
      'refused',
      'unavailable',
    ],
    async handler(call) {
      const result = await writeTuples(dependencies, call.caller, () => factsOf(call), call.body);
      return json(200, { revision: dependencies.tokens.of(result.revision) });
    },
  });
}

function readEndpoint(dependencies: AuthzDependencies, base: FamilyBase): Endpoint {
  const { pageSize } = dependencies.limits;
  return endpoint({
    method: 'GET',
    path: `${base}/zanzibar/tuples`,
    summary: 'Read tuples',
    description:
      'Filtered by object, relation and subject; `type:` stands for all of a type. In a stable order, page by page. A ' +
      'page may be short: only one without `cursor` is the last.',
    tags,
    access: { permission: 'tuples.read' },
    query: z.strictObject({
      object: part.optional(),
      relation: part.optional(),
      subject: part.optional(),
      limit: queryInteger({ min: 1, max: pageSize, default: Math.min(100, pageSize) }),
      cursor: part.optional(),
    }),
    responses: { 200: z.strictObject({ tuples: z.array(tupleAnswer), cursor: z.string().optional(), revision }) },
    errors: ['invalid_argument', 'invalid_tuple', 'invalid_cursor', 'log_replaced', 'unknown_type', 'unknown_relation'],
    handler: ({ caller, query }) => queryReply(dependencies, caller, { kind: 'tuples', query }),
  });
}

function watchEndpoint(dependencies: AuthzDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/zanzibar/watch`,
    summary: 'Follow changes',
    description:
      'Server-sent events, one for each commit after `after` (or `Last-Event-ID`), from now on if neither is given. ' +
      'The id of an event is its consistency token. The stream ends when the right to read tuples ends. The number of ' +
      'open streams is limited for each organization and credential. A client that does not read is disconnected.',
    tags,
    access: { permission: 'tuples.read' },
    query: z.strictObject({ after: z.string().min(1).max(64).optional() }),
    responses: { 200: { description: 'The stream.', contentType: 'text/event-stream' } },
    errors: ['invalid_token', 'log_replaced', 'revision_ahead', 'revision_compacted'],
    handler: (call) => dependencies.watches.follow(call.caller, call.header('last-event-id') || call.query.after),
  });
}
