import { ProblemError, problem, problemFromError } from '../../http/index.ts';
import type { Caller, OrganizationDirectory } from '../../orgs/index.ts';
import type { SystemPermission } from '../../rights/index.ts';
import { type Judgement, SubjectCaller, SuperAdministrator } from '../guard/callers.ts';
import type { DecisionParts } from '../parts.ts';
import { failureOf, type HeavyAnswer, type HeavyRequest, type HeavyTask } from './heavy-task.ts';
import { expand, listObjects, listSubjects, readTuplePage } from './list-tasks.ts';
import { checkAttributes, listPermissions } from './permission-tasks.ts';
import { prepareModel } from './prepare-model.ts';

export interface HeavyParts extends DecisionParts, Judgement {
  readonly directory: OrganizationDirectory;
}

type TaskOf<Kind extends HeavyTask['kind']> = Extract<HeavyTask, { kind: Kind }>;

interface Handling<Kind extends HeavyTask['kind']> {
  /** What the endpoint requires: decided again here, in the snapshot that answers. */
  readonly permission: SystemPermission | undefined;
  readonly answer: (parts: DecisionParts, caller: Caller, task: TaskOf<Kind>) => unknown;
}

const handlings: { readonly [Kind in HeavyTask['kind']]: Handling<Kind> } = {
  list_objects: { permission: 'tuples.read', answer: (parts, caller, { body }) => listObjects(parts, caller, body) },
  list_subjects: { permission: 'tuples.read', answer: (parts, caller, { body }) => listSubjects(parts, caller, body) },
  expand: { permission: 'tuples.read', answer: (parts, caller, { body }) => expand(parts, caller, body) },
  tuples: { permission: 'tuples.read', answer: (parts, caller, { query }) => readTuplePage(parts, caller, query) },
  permissions: { permission: undefined, answer: (parts, caller, { query }) => listPermissions(parts, caller, query) },
  abac: { permission: undefined, answer: (parts, caller, { body }) => checkAttributes(parts, caller, body) },
  prepare_model: {
    permission: 'settings.manage',
    // what it gives is run outside of the snapshot, which must not be held open while a text is parsed
    answer: (parts, caller, task) => () =>
      prepareModel(caller.organization.store, task.source, parts.systemModel.model),
  },
};

/** Runs a task in this thread, wholly in one snapshot. Failures of the caller are answers; others are thrown. */
export function answerHeavy(parts: HeavyParts, request: HeavyRequest): HeavyAnswer {
  try {
    const value = parts.engine.read(() => {
      const caller = callerOf(parts, request);
      // the table pairs each kind with its own task, which the type of a look-up cannot say
      const handling = handlings[request.task.kind] as Handling<HeavyTask['kind']>;
      if (handling.permission !== undefined && !caller.may(handling.permission))
        throw new ProblemError(problem('forbidden'));
      return handling.answer(parts, caller, request.task as never);
    });
    return { ok: true, text: JSON.stringify(typeof value === 'function' ? value() : value) };
  } catch (error) {
    const known = problemFromError(error);
    if (known === undefined) throw error;
    return failureOf(known);
  }
}

function callerOf(parts: HeavyParts, { organization: slug, subject }: HeavyRequest): Caller {
  const organization = parts.directory.find(slug);
  if (organization === undefined) throw new ProblemError(problem('not_found'));
  if (subject === undefined) return new SuperAdministrator(organization);
  return new SubjectCaller(organization, subject, parts, () => true);
}
