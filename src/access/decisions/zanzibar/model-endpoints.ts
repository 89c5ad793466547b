import { z } from 'zod';
import type { PreparedModel, Store } from '#engine';
import { bytes, type Endpoint, endpointFor, json, problem, queryBoolean } from '../../../http/index.ts';
import { factsOf } from '../../../kernel/audit/index.ts';
import {
  adminBounds,
  entriesAnswer,
  type Family,
  listSchema,
  mapListed,
  parametersOf,
  readList,
  type ShownBy,
} from '../../../kernel/lists/index.ts';
import { answerIfMay, type Caller, type FamilyBase, inBothFamilies } from '../../../kernel/organizations/index.ts';
import { problemOf, requestOf } from '../../../kernel/queries/index.ts';
import { isoTime } from '../../../platform/index.ts';
import type { AuthzDependencies } from '../dependencies.ts';
import type { ReadModel } from '../queries/prepare-model.ts';
import { modelBody, plainModel } from './model-body.ts';
import { modelWarning } from './model-warnings.ts';
import { judgeModel, requireRoomForModel, supposedModel, writeModel } from './write-model.ts';

const endpoint = endpointFor<Caller>();
const tags = ['Models'];

const orphans = z.strictObject({
  count: z.int(),
  shapes: z.array(z.strictObject({ shape: z.string(), count: z.int() })),
  samples: z.array(z.string()),
});
const warnings = z.array(modelWarning);
const summary = z.strictObject({ id: z.string(), createdAt: z.string(), isLatest: z.boolean() });
const source = {
  dsl: z.string().optional(),
  modules: z.array(z.strictObject({ name: z.string(), contents: z.string() })).optional(),
};

/** Authorization models, in both families. */
export function modelEndpoints(dependencies: AuthzDependencies): Endpoint[] {
  return inBothFamilies((base, family) => [
    writeEndpoint(dependencies, base),
    listEndpoint(dependencies, base, family),
    endpoint({
      method: 'GET',
      path: `${base}/zanzibar/models/{modelId}`,
      summary: 'Get a model version',
      description: 'With `Accept: text/plain` the text alone, where the model is one text: `{dsl}`.',
      tags,
      access: { permission: 'models.read' },
      responses: {
        200: { description: 'The model.', schema: summary.extend(source), others: { 'text/plain': z.string() } },
      },
      errors: ['unknown_model'],
      handler(call) {
        const { caller, params } = call;
        const { store } = caller.organization;
        return answerIfMay(dependencies.engine, caller, 'models.read', () => {
          if (!store.modelIds().includes(params.modelId))
            return problem('unknown_model', `There is no model ${params.modelId.slice(0, 100)}.`);
          const { source: written } = store.model(params.modelId);
          if ('dsl' in written && /\btext\/plain\b/i.test(call.header('accept')))
            return bytes(200, 'text/plain; charset=utf-8', written.dsl);
          return json(200, { ...summaryOf(store, params.modelId), ...written } as never);
        });
      },
    }),
  ]);
}

/** Versions are known by their ids and their order: none is older than the one before it. */
const definition: ShownBy<number> = { text: (_, id) => [id], sorts: { createdAt: (index) => -index } };

function listEndpoint(dependencies: AuthzDependencies, base: FamilyBase, family: Family): Endpoint {
  return endpoint({
    method: 'GET',
    path: `${base}/zanzibar/models`,
    summary: 'List model versions',
    description: 'Searched by id.',
    tags,
    access: { permission: 'models.read' },
    query: z.strictObject(parametersOf(definition.sorts, adminBounds)),
    responses: { 200: listSchema(summary) },
    handler({ caller, query }) {
      const read = readList(query, adminBounds);
      const { store } = caller.organization;
      return answerIfMay(dependencies.engine, caller, 'models.read', () => {
        const versions = store.modelIds().map((id, index) => ({ id, document: index }));
        return json(
          200,
          mapListed(entriesAnswer(definition, versions, read, family), ({ id }) => summaryOf(store, id)),
        );
      });
    },
  });
}

function writeEndpoint(dependencies: AuthzDependencies, base: FamilyBase): Endpoint {
  return endpoint({
    method: 'POST',
    path: `${base}/zanzibar/models`,
    summary: 'Write a model',
    description:
      "In the OpenFGA language, as `{dsl}` or as plain text, in modules, or in OpenFGA's JSON; merged with the system " +
      'model. `warnings` name the types that it shares with the system, and what was added to them. `orphans` are ' +
      'stored tuples that it does not allow: they stay stored and do not count. A model that would leave no ' +
      'administrator is refused. With `dryRun=true` nothing is written. Needs full administration.',
    tags,
    access: { permission: 'settings.manage' },
    rate: 'expensive',
    query: z.strictObject({ dryRun: queryBoolean.optional() }),
    body: modelBody,
    plainText: plainModel,
    // escaped as JSON, a text can be twice as long
    bodyMax: dependencies.limits.modelBytes * 2,
    responses: {
      200: z.strictObject({ valid: z.literal(true), orphans, warnings }).meta({ id: 'ModelDryRun' }),
      201: z.strictObject({ id: z.string(), revision: z.string(), orphans, warnings }).meta({ id: 'WrittenModel' }),
    },
    errors: ['invalid_model', 'refused', 'too_large', 'unavailable'],
    async handler(call) {
      const { caller, body, query } = call;
      const facts = factsOf(call);
      const { store } = caller.organization;
      requireRoomForModel(store);
      const answer = await dependencies.queryPool.run(requestOf(caller, { kind: 'prepare_model', model: body }));
      if (!answer.ok) return problemOf(answer);
      const model = JSON.parse(answer.text) as ReadModel;
      const report = { orphans: plain(model), warnings: [...model.warnings] };
      if (query.dryRun) {
        judgeModel(dependencies, caller, supposedModel(caller, model));
        return json(200, { valid: true as const, ...report });
      }
      const written = await writeModel(dependencies, caller, facts, model);
      return json(201, { id: written.modelId, revision: dependencies.tokens.of(written.revision), ...report });
    },
  });
}

function summaryOf(store: Store, id: string): z.output<typeof summary> {
  const { createdAt } = store.model(id);
  return { id, createdAt: isoTime(createdAt), isLatest: store.modelIds()[0] === id };
}

/** The report with lists that can be written to, as the schema's type has them. */
function plain({ orphans: { count, shapes, samples } }: Pick<PreparedModel, 'orphans'>): z.output<typeof orphans> {
  return { count, shapes: shapes.map((shape) => ({ ...shape })), samples: [...samples] };
}
