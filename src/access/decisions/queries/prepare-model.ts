import { EngineError, type Model, type ModelSource, modelFromJson, type PreparedModel, type Store } from '#engine';

/**
 * Parses a model of an organization, merged with the system model. A condition's parameter `now` is the server's clock
 * in every question, so that it must be a time.
 * @throws EngineError `invalid_model`
 */
export function prepareModel(store: Store, source: ModelSource, base: Model): PreparedModel {
  const prepared = store.prepareModel(source, { base });
  for (const { name, parameters } of modelFromJson(prepared.json).conditions.values()) {
    const now = parameters.get('now');
    if (now === undefined || now.kind === 'timestamp') continue;
    const message = `the parameter \`now\` of the condition \`${name}\` is the server's clock and must be a timestamp`;
    throw new EngineError('invalid_model', message, { issues: [{ message, line: 1, column: 1 }] });
  }
  return prepared;
}
