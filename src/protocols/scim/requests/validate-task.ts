import { z } from 'zod';
import type { Store } from '#engine';
import { type Problem, problem, problemFromError, withAbsence } from '../../../http/index.ts';
import type { Caller } from '../../../kernel/organizations/index.ts';
import { problemOf, requestOf as queryOf } from '../../../kernel/queries/index.ts';
import type { Task, TaskHandler } from '../../../kernel/tasks/index.ts';
import { parseProjection } from '../documents/projection.ts';
import type { ScimResource } from '../documents/scim-resource.ts';
import { isShown } from '../endpoints/resource-endpoints.ts';
import { scimErrorBody } from '../errors/render-scim.ts';
import { groupResource, memberIds } from '../groups/group-resource.ts';
import { listQuery, projectionQuery, readListQuery } from '../lists/list-parameters.ts';
import { listTask } from '../lists/list-task.ts';
import { groupOperations, type ScimOperations, userOperations } from '../service/operations.ts';
import type { ScimDependencies } from '../service/scim-dependencies.ts';
import type { ScimRequest } from '../service/scim-request.ts';
import { isProvisioned, ProvisioningCaller } from '../tokens/provisioning-caller.ts';
import { userResource } from '../users/user-resource.ts';
import type { AskedOperation } from './asked-operation.ts';
import { dryRun } from './dry-run.ts';
import { foreseen, foreseenSchema, type Plan, planOf } from './foreseen.ts';

export const outcomeSchema = z.strictObject({
  status: z.int().describe('Status of the answer'),
  response: z.record(z.string(), z.unknown()).nullable().describe('Body of the answer'),
  changes: z.array(foreseenSchema).describe('Changes that the request would make'),
});
export type Outcome = z.output<typeof outcomeSchema>;

/** A dry run. What it tries may name all members of a large group. */
export interface ValidateTask extends Task {
  readonly kind: 'scim_validate';
  readonly asked: AskedOperation;
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
    perform({ caller, facts }, { asked, body, base, ifMatch }) {
      const { organization } = caller;
      const request: ScimRequest = {
        caller: new ProvisioningCaller(organization, { subject: 'scim_token:none' }, () => caller.isStillValid()),
        facts,
        base,
        ...(ifMatch === undefined ? {} : { ifMatch }),
      };
      return new Validation(people, caller, request).outcomeOf(asked, body);
    },
  };
}

class Validation {
  readonly #dependencies: ScimDependencies;
  /** Who asks, and the request as a SCIM token would send it. */
  readonly #caller: Caller;
  readonly #request: ScimRequest;

  constructor(dependencies: ScimDependencies, caller: Caller, request: ScimRequest) {
    this.#dependencies = dependencies;
    this.#caller = caller;
    this.#request = request;
  }

  async outcomeOf(asked: AskedOperation, body: unknown): Promise<Outcome> {
    try {
      const { store } = this.#caller.organization;
      if (!this.#dependencies.engine.read(() => isProvisioned(store)))
        return refusal(problem('forbidden', 'SCIM is switched off in the settings of this organization.'));
      return await (asked.method === 'GET' ? this.#read(asked) : this.#change(asked, body));
    } catch (error) {
      const known = problemFromError(error);
      if (known === undefined || known.kind.status >= 500) throw error;
      const { type, id } = asked;
      return refusal(id === undefined ? known : withAbsence(known, `/${type}s/{id}`, { id }));
    }
  }

  async #read({ type, id, parameters }: AskedOperation): Promise<Outcome> {
    const { engine, queryPool } = this.#dependencies;
    const operations = this.#operations(type, this.#dependencies);
    if (id !== undefined) {
      const project = parseProjection(operations.type, projectionQuery.parse(parameters));
      const resource = engine.read(() => operations.read(this.#request, id));
      return { status: 200, response: { ...project(resource) }, changes: [] };
    }
    const query = listQuery.safeParse(parameters);
    if (!query.success) return refusal(problem('invalid_request', 'A parameter is too long.'));
    const task = listTask([operations.type], readListQuery(query.data), this.#request.base);
    const answer = await queryPool.run(queryOf(this.#caller, task));
    if (!answer.ok) return refusal(problemOf(answer));
    return { status: 200, response: JSON.parse(answer.text) as Record<string, unknown>, changes: [] };
  }

  async #change(asked: AskedOperation, body: unknown): Promise<Outcome> {
    const { type, id, parameters } = asked;
    const { engine } = this.#dependencies;
    const project = parseProjection(this.#operations(type, this.#dependencies).type, projectionQuery.parse(parameters));
    const changes = await dryRun(this.#dependencies, (dry) => this.#run(this.#operations(type, dry), asked, body));
    const { store } = this.#caller.organization;
    return engine.read(() => {
      const plan = planOf(store, changes);
      const told = plan && foreseen(changes, plan);
      const status = this.#statusOf(asked);
      const resource = status === 204 ? undefined : this.#resource(store, plan, type, id);
      const response = resource === undefined ? null : { ...project(resource) };
      return { status, response, changes: told === undefined ? [] : [told] };
    });
  }

  #run(operations: ScimOperations, { method, id = '' }: AskedOperation, body: unknown): Promise<unknown> {
    switch (method) {
      case 'POST':
        return operations.create(this.#request, body);
      case 'PUT':
        return operations.replace(this.#request, id, body);
      case 'PATCH':
        return operations.patch(this.#request, id, body);
      default:
        return operations.remove(this.#request, id);
    }
  }

  #statusOf({ method, type, parameters }: AskedOperation): number {
    if (method === 'DELETE') return 204;
    const { attributes, excludedAttributes } = parameters;
    const isAsked = attributes !== undefined || excludedAttributes !== undefined;
    if (method === 'PATCH' && !isShown(this.#dependencies, this.#request, type, isAsked)) return 204;
    return method === 'POST' ? 201 : 200;
  }

  /** As it would stand after the commit; as it stands, where there is nothing to commit. */
  #resource(store: Store, plan: Plan | undefined, type: 'User' | 'Group', id = ''): ScimResource | undefined {
    const { base } = this.#request;
    const user = plan?.user?.after;
    if (user !== undefined) return userResource(store, user, base);
    const group = plan?.group;
    if (group?.after === undefined) return this.#operations(type, this.#dependencies).read(this.#request, id);
    const ids = new Set(group.before === undefined ? [] : memberIds(store, group.before.document.name));
    for (const each of plan?.removed ?? []) ids.delete(each);
    for (const each of plan?.added ?? []) ids.add(each);
    return groupResource(store, group.after, base, [...ids]);
  }

  #operations(type: 'User' | 'Group', dependencies: ScimDependencies): ScimOperations {
    return type === 'User' ? userOperations(dependencies) : groupOperations(dependencies);
  }
}

function refusal(known: Problem): Outcome {
  return { status: known.kind.status, response: { ...scimErrorBody(known) }, changes: [] };
}
