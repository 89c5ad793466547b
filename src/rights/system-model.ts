import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Model, type ModelSource, modelKinds, modelToJson, type PreparedModel, parseModel } from '#engine';
import { defaultConfigFile } from '../platform/index.ts';

export interface SystemModel {
  readonly source: ModelSource;
  readonly model: Model;
  /** Ready to be the first model of a new organization. */
  readonly prepared: Omit<PreparedModel, 'orphans'>;
}

/** Reads `config/system.fga`. @throws EngineError `invalid_model` */
export function loadSystemModel(): SystemModel {
  const dsl = readFileSync(join(dirname(defaultConfigFile()), 'system.fga'), 'utf8');
  const source = { dsl };
  const model = parseModel(source);
  return { source, model, prepared: { json: modelToJson(model), kinds: modelKinds(model) } };
}
