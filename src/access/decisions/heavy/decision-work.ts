import type { HeavyWork } from '../../../kernel/queries/index.ts';
import type { DecisionParts } from '../parts.ts';
import type { DecisionTask } from './decision-task.ts';
import { expand, listObjects, listSubjects, readTuplePage } from './list-tasks.ts';
import { checkAttributes, listPermissions } from './permission-tasks.ts';
import { prepareModel } from './prepare-model.ts';

type WorkOf<Kind extends DecisionTask['kind']> = Omit<HeavyWork<Extract<DecisionTask, { kind: Kind }>>, 'kind'>;

/** How the pool's threads answer the heavy questions of this feature. */
export function decisionWork(parts: DecisionParts): HeavyWork[] {
  const works: { readonly [Kind in DecisionTask['kind']]: WorkOf<Kind> } = {
    list_objects: { permission: 'tuples.read', answer: (caller, { body }) => listObjects(parts, caller, body) },
    list_subjects: { permission: 'tuples.read', answer: (caller, { body }) => listSubjects(parts, caller, body) },
    expand: { permission: 'tuples.read', answer: (caller, { body }) => expand(parts, caller, body) },
    tuples: { permission: 'tuples.read', answer: (caller, { query }) => readTuplePage(parts, caller, query) },
    permissions: { permission: undefined, answer: (caller, { query }) => listPermissions(parts, caller, query) },
    abac: { permission: undefined, answer: (caller, { body }) => checkAttributes(parts, caller, body) },
    prepare_model: {
      permission: 'settings.manage',
      // what it gives is run outside of the snapshot, which must not be held open while a text is parsed
      answer: (caller, task) => () => prepareModel(caller.organization.store, task.source, parts.systemModel.model),
    },
  };
  return Object.entries(works).map(([kind, work]) => ({ kind, ...work }) as HeavyWork);
}
