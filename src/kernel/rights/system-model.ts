import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type Model,
  type ModelSource,
  modelFromJson,
  modelKinds,
  modelToJson,
  type PreparedModel,
  parseModel,
} from '#engine';
import { defaultConfigFile, digestOf } from '../../platform/index.ts';
import { builtModelOf } from './built-model.ts';
import { systemPermissions } from './system-permissions.ts';

/** The system model as plain data, which crosses threads. */
export interface SystemModelData {
  readonly source: ModelSource;
  /** Ready to be the first model of a new organization. */
  readonly prepared: Pick<PreparedModel, 'json' | 'kinds'>;
}

export interface SystemModel extends SystemModelData {
  readonly model: Model;
}

const SCHEMA = /^ *schema 1\.1 *$/m;

/**
 * Reads `config/system.fga`, or what the build has made of the same text.
 * @param types more types, in the same language
 * @throws EngineError `invalid_model`
 */
export function loadSystemModel(types: readonly string[] = []): SystemModel {
  const dsl = systemModelText(types);
  const built = builtModelOf(dsl);
  if (built === undefined) return parseSystemModel(dsl);
  const { json, kinds } = built;
  return restoreSystemModel({ source: { dsl }, prepared: { json, kinds } });
}

export function systemModelText(types: readonly string[]): string {
  const base = readFileSync(join(dirname(defaultConfigFile()), 'system.fga'), 'utf8');
  // types stand before conditions
  return base.replace(SCHEMA, (line) => [line, ...types].join('\n'));
}

export function parseSystemModel(dsl: string): SystemModel {
  const source = { dsl };
  const model = parseModel(source);
  return { source, model, prepared: { json: modelToJson(model), kinds: modelKinds(model) } };
}

/**
 * What the system brings to every organization in this release, as a digest. Whatever else an upgrade is to add belongs in
 * here, too: an organization that has the digest is not looked at again.
 */
export function systemDigest({ prepared }: SystemModelData): string {
  return digestOf(JSON.stringify([prepared.json, Object.keys(systemPermissions)]));
}

/** The system model that another thread has read: parsing it in each would only make the start slower. */
export function restoreSystemModel(data: SystemModelData): SystemModel {
  return { ...data, model: modelFromJson(data.prepared.json) };
}
