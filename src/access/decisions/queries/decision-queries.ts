import type { QueryHandler } from '../../../kernel/queries/index.ts';
import type { DecisionDependencies } from '../dependencies.ts';
import type { DecisionTask } from './decision-task.ts';
import { expand, listObjects, listSubjects, readTuplePage } from './list-tasks.ts';
import { checkAttributes, listPermissions } from './permission-tasks.ts';
import { prepareModel } from './prepare-model.ts';

type WorkOf<Kind extends DecisionTask['kind']> = Omit<QueryHandler<Extract<DecisionTask, { kind: Kind }>>, 'kind'>;

/** How the query pool answers what would hold up other requests. */
export function decisionQueries(dependencies: DecisionDependencies): QueryHandler[] {
  const works: { readonly [Kind in DecisionTask['kind']]: WorkOf<Kind> } = {
    list_objects: { permission: 'tuples.read', answer: (caller, { body }) => listObjects(dependencies, caller, body) },
    list_subjects: {
      permission: 'tuples.read',
      answer: (caller, { body }) => listSubjects(dependencies, caller, body),
    },
    expand: { permission: 'tuples.read', answer: (caller, { body }) => expand(dependencies, caller, body) },
    tuples: { permission: 'tuples.read', answer: (caller, { query }) => readTuplePage(dependencies, caller, query) },
    permissions: { permission: undefined, answer: (caller, { query }) => listPermissions(dependencies, caller, query) },
    abac: { permission: undefined, answer: (caller, { body }) => checkAttributes(dependencies, caller, body) },
    prepare_model: {
      permission: 'settings.manage',
      // what it gives is run outside of the snapshot, which must not be held open while a text is parsed
      answer: (caller, task) => () =>
        prepareModel(caller.organization.store, task.model, dependencies.systemModel.model),
    },
  };
  return Object.entries(works).map(([kind, work]) => ({ kind, ...work }) as QueryHandler);
}
