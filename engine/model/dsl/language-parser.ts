import { createRequire } from 'node:module';
import type * as SyntaxTransformer from '@openfga/syntax-transformer';
import type * as Yaml from 'yaml';

const require = createRequire(import.meta.url);
let loaded: typeof SyntaxTransformer | undefined;
let loadedYaml: typeof Yaml | undefined;

/**
 * The parser of the modelling language. Loading it takes a third of a second and some memory, and most threads never
 * parse a text: so it is loaded, synchronously, when the first one is parsed.
 */
export function languageParser(): typeof SyntaxTransformer {
  loaded ??= require('@openfga/syntax-transformer') as typeof SyntaxTransformer;
  return loaded;
}

/** The parser of `fga.mod` files, which are fewer still. */
export function yamlParser(): typeof Yaml {
  loadedYaml ??= require('yaml') as typeof Yaml;
  return loadedYaml;
}
