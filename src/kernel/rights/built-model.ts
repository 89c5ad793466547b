import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Model, modelKinds, modelToJson, type PreparedModel, parseModel } from '#engine';
import { defaultConfigFile } from '../../platform/index.ts';

/** A model of this release as plain data, which crosses threads. */
export interface PreparedText {
  readonly source: { readonly dsl: string };
  /** Ready to be written. */
  readonly prepared: Pick<PreparedModel, 'json' | 'kinds'>;
}

/** A model's text, and what it is merged with. */
export interface ModelText {
  readonly dsl: string;
  readonly base?: PreparedText['source'] & { readonly model: Model };
}

/** @throws EngineError `invalid_model` */
export function parseText({ dsl, base }: ModelText): PreparedText & { readonly model: Model } {
  const source = { dsl };
  const model = parseModel(source, base === undefined ? {} : { base: base.model });
  return { source, model, prepared: { json: modelToJson(model), kinds: modelKinds(model) } };
}

/** What the build has parsed: the language's parser takes longer to load than everything else that a start parses. */
const builtModelSchema = z.object({
  dsl: z.string(),
  base: z.string().optional(),
  json: z.unknown(),
  kinds: z.array(z.tuple([z.string(), z.string()]).readonly()).readonly(),
});

export type BuiltModelName = 'system-model' | 'demo-model';

export function builtModelFile(name: BuiltModelName): string {
  return join(dirname(dirname(defaultConfigFile())), 'dist', `${name}.json`);
}

/** The content of a built model's file. */
export function builtModel(text: ModelText): z.infer<typeof builtModelSchema> {
  return { ...text, base: text.base?.dsl, ...parseText(text).prepared };
}

/** The model that the build has made of this very text; `undefined` if there is none. */
export function builtModelOf({ dsl, base }: ModelText, file: string): PreparedText | undefined {
  try {
    const built = builtModelSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    if (built.dsl !== dsl || built.base !== base?.dsl) return undefined;
    return { source: { dsl }, prepared: { json: built.json, kinds: built.kinds } };
  } catch {
    // not built yet, or not whole: the text says the same
    return undefined;
  }
}

/** What the build has made of a text, or the same parsed now. @throws EngineError `invalid_model` */
export function preparedText(text: ModelText, name: BuiltModelName): PreparedText {
  return builtModelOf(text, builtModelFile(name)) ?? parseText(text);
}
