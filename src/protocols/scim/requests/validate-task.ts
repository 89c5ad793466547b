import { problem } from '../../../http/index.ts';
import type { Organization } from '../../../kernel/organizations/index.ts';
import type { Task, TaskHandler } from '../../../kernel/tasks/index.ts';
import type { ScimDependencies } from '../service/scim-dependencies.ts';
import type { ScimRequest } from '../service/scim-request.ts';
import { isProvisioned, ProvisioningCaller } from '../tokens/provisioning-caller.ts';
import type { Asked } from './asked-operation.ts';
import { type Outcome, refusal } from './tries/outcome.ts';
import { tryBulk } from './tries/try-bulk.ts';
import { tryChange } from './tries/try-change.ts';
import { tryRead } from './tries/try-read.ts';

/** A dry run. What it tries may name all members of a large group. */
export interface ValidateTask extends Task {
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
        new ProvisioningCaller(of, { subject: 'scim_token:none' }, () => caller.isStillValid());
      const request: ScimRequest = {
        caller: provisioner(organization),
        facts,
        base,
        ...(ifMatch === undefined ? {} : { ifMatch }),
      };
      if (!people.engine.read(() => isProvisioned(organization.store))) {
        return refusal(problem('forbidden', 'SCIM is switched off in the settings of this organization.'));
      }
      if (asked.type === 'Bulk') return tryBulk(people, request, provisioner, body);
      return asked.method === 'GET' ? tryRead(people, caller, request, asked) : tryChange(people, request, asked, body);
    },
  };
}
