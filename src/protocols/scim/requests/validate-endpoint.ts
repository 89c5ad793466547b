import { type Endpoint, json, problem } from '../../../http/index.ts';
import { type Family, singleAnswer, singleSchema } from '../../../kernel/lists/index.ts';
import { endpoint, type FamilyBase, type Organization } from '../../../kernel/organizations/index.ts';
import { type Task, type TaskHandler, type TaskQueue, taskAnswer } from '../../../kernel/tasks/index.ts';
import { baseUrlOf, scimBases } from '../endpoints/bases.ts';
import type { ScimDependencies, ScimRequest } from '../service/scim-request.ts';
import { isProvisioned, ProvisioningCaller } from '../tokens/provisioning-caller.ts';
import { type Asked, askedBody, readAsked } from './asked-operation.ts';
import { type Outcome, outcomeSchema, refusal } from './tries/outcome.ts';
import { tryBulk } from './tries/try-bulk.ts';
import { tryChange, tryRead } from './tries/try-request.ts';

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
        ifMatch: body.ifMatch,
      };
      // of its handler, which answers nothing else
      return json(200, singleAnswer((await taskAnswer(tasks, call, task)) as Outcome, family));
    },
  });
}

/** A dry run. What it tries may name all members of a large group. */
interface ValidateTask extends Task {
  readonly kind: 'scim_validate';
  readonly asked: Asked;
  readonly body: unknown;
  /** The URL that SCIM's paths of the organization begin with, in the family of the request. */
  readonly base: string;
  readonly ifMatch?: string | undefined;
}

/** Dry runs, in the thread of tasks. Answers the outcome. */
export function validateTaskHandler({ people }: { readonly people: ScimDependencies }): TaskHandler<ValidateTask> {
  return {
    kind: 'scim_validate',
    permission: 'settings.manage',
    async perform({ caller, facts }, { asked, body, base, ifMatch }): Promise<Outcome> {
      const { organization } = caller;
      const provisioner = (of: Organization) =>
        new ProvisioningCaller(of, { subject: 'scim_token:none' }, { isStillValid: () => caller.isStillValid() });
      const request: ScimRequest = { caller: provisioner(organization), facts, base, ifMatch };
      if (!people.engine.read(() => isProvisioned(organization.store))) {
        return refusal(problem('forbidden', 'SCIM is switched off in the settings of this organization.'));
      }
      if (asked.type === 'Bulk') return tryBulk(people, request, provisioner, body);
      const { method } = asked;
      return method === 'GET'
        ? tryRead(people, caller, request, asked)
        : tryChange(people, request, { ...asked, method }, body);
    },
  };
}
