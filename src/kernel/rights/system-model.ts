import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Model, modelFromJson } from '#engine';
import { defaultConfigFile, digestOf } from '../../platform/index.ts';
import { type PreparedText, preparedText } from './built-model.ts';
import { systemPermissions } from './system-permissions.ts';

export interface SystemModel extends PreparedText {
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
  return restoreSystemModel(preparedText({ dsl }, 'system-model'));
}

export function systemModelText(types: readonly string[]): string {
  const base = readFileSync(join(dirname(defaultConfigFile()), 'system.fga'), 'utf8');
  // types stand before conditions
  return base.replace(SCHEMA, (line) => [line, ...types].join('\n'));
}

/**
 * A digest of what the system brings to every organization in this release. All that an upgrade is to add belongs here:
 * an organization that has the digest is not looked at again.
 */
export function systemDigest({ prepared }: PreparedText): string {
  return digestOf(JSON.stringify([prepared.json, Object.keys(systemPermissions)]));
}

/** The system model that another thread has parsed: to parse it in each thread would only slow the start. */
export function restoreSystemModel(data: PreparedText): SystemModel {
  return { ...data, model: modelFromJson(data.prepared.json) };
}
