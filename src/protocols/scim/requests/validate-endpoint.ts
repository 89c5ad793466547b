import { type Endpoint, endpointFor, json } from '../../../http/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import type { Caller, FamilyBase } from '../../../kernel/organizations/index.ts';
import { type TaskQueue, taskAnswer } from '../../../kernel/tasks/index.ts';
import { baseUrlOf, scimBases } from '../endpoints/bases.ts';
import { askedBody, readAsked } from './asked-operation.ts';
import { type Outcome, outcomeSchema } from './tries/outcome.ts';
import type { ValidateTask } from './validate-task.ts';

const endpoint = endpointFor<Caller>();
const BODY_MAX = 2 * 2 ** 20;

interface ValidateDependencies {
  readonly tasks: TaskQueue;
  readonly baseUrl: string;
}

/** `/admin/scim/validate`: a dry run, in the thread of tasks. */
export function validateEndpoint({ tasks, baseUrl }: ValidateDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/admin/scim/validate`,
    summary: 'Dry run of a SCIM request',
    description:
      'Shows the answer that a SCIM token would get, and the changes; changes nothing. For `/Users`, `/Groups` and `/Bulk`. ' +
      'Each operation of a bulk request is tried as if those before it had been performed, except that it does not see ' +
      'which members they add and remove.',
    tags: ['SCIM administration'],
    access: { permission: 'settings.manage' },
    rate: 'expensive',
    body: askedBody,
    bodyMax: BODY_MAX,
    responses: { 200: singleSchema(outcomeSchema) },
    errors: ['unavailable'],
    async handler(call) {
      const { caller, body } = call;
      const task: ValidateTask = {
        kind: 'scim_validate',
        asked: readAsked(body),
        body: body.body,
        base: baseUrlOf(baseUrl, scimBases[family], caller.organization.slug),
        ...(body.ifMatch === undefined ? {} : { ifMatch: body.ifMatch }),
      };
      // of its handler, which answers nothing else
      return json(200, singleAnswer((await taskAnswer(tasks, call, task)) as Outcome, family));
    },
  });
}
