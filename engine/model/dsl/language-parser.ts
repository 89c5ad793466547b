import { createRequire } from 'node:module';
import type * as SyntaxTransformer from '@openfga/syntax-transformer';

let loaded: typeof SyntaxTransformer | undefined;

/**
 * The parser of the modelling language. Loading it takes a third of a second and some memory, and most threads never
 * parse a text: so it is loaded, synchronously, when the first one is parsed.
 */
export function languageParser(): typeof SyntaxTransformer {
  loaded ??= createRequire(import.meta.url)('@openfga/syntax-transformer') as typeof SyntaxTransformer;
  return loaded;
}
