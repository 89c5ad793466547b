import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { defaultConfigFile } from '../../platform/index.ts';

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
