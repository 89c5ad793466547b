import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
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

/** What the build has parsed: the parser of the language takes longer to load than all else that a start parses. */
const builtModelSchema = z.object({
  dsl: z.string(),
  json: z.unknown(),
  kinds: z.array(z.tuple([z.string(), z.string()])),
});

export function builtModelFile(): string {
  return join(dirname(dirname(defaultConfigFile())), 'dist', 'system-model.json');
}

/** The model that the build has made of this very text; `undefined` if there is none. */
export function builtModelOf(dsl: string, file = builtModelFile()): z.infer<typeof builtModelSchema> | undefined {
  try {
    const built = builtModelSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    return built.dsl === dsl ? built : undefined;
  } catch {
    // not built yet, or not whole: the text says the same
    return undefined;
  }
}
