import type { Endpoint } from '../../../http/index.ts';
import { endpoint } from '../../../kernel/organizations/index.ts';
import { type TaskQueue, taskReply } from '../../../kernel/tasks/index.ts';
import { bulkLimits } from '../bulk/bulk-operation.ts';
import type { BulkTask } from '../bulk/bulk-task.ts';
import { scimContentType } from '../errors/scim-errors.ts';
import { baseUrlOf, type ScimBase } from './bases.ts';
import { bulkAnswer, bulkRequest } from './described-messages.ts';
import { common, scimTypes } from './scim-reply.ts';

interface BulkDependencies {
  readonly tasks: TaskQueue;
  readonly baseUrl: string;
}

/** Many operations in one request (RFC 7644, 3.7). Its body goes unread to the thread of tasks. */
export function bulkEndpoint({ tasks, baseUrl }: BulkDependencies, base: ScimBase): Endpoint {
  const { maxOperations, maxPayloadSize } = bulkLimits;
  return endpoint({
    ...common,
    method: 'POST',
    path: `${base}/Bulk`,
    summary: 'Run many operations in one request (SCIM)',
    description: [
      `At most ${maxOperations} operations and ${maxPayloadSize} bytes. Each operation is atomic by itself,`,
      'and the answer has a result for each. Operations may refer to resources that others create, by `bulkId` and in any',
      'order. References that form a circle are refused. After `failOnErrors` failed operations no more are attempted.',
    ].join('\n'),
    rate: 'expensive',
    bodyForm: 'bytes',
    body: bulkRequest,
    bodyMax: maxPayloadSize,
    accepts: scimTypes,
    responses: {
      200: { description: 'The result of each operation', contentType: scimContentType, schema: bulkAnswer },
    },
    errors: ['malformed_json', ...common.errors],
    handler(call) {
      const task: BulkTask = {
        kind: 'scim_bulk',
        body: call.body as unknown as Uint8Array, // of its form, `bytes`; the schema is for the description
        base: baseUrlOf(baseUrl, base, call.caller.organization.slug),
      };
      return taskReply(tasks, call, task, scimContentType);
    },
  });
}
