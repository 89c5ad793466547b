import { createRequire } from 'node:module';
import type * as NodeSaml from '@node-saml/node-saml';

let loaded: typeof NodeSaml | undefined;

/**
 * The library of SAML, with its own readers of XML: an eighth of all files that a thread would load to begin with, for
 * the few organizations that sign in so. It is loaded, synchronously, at its first use.
 */
export function samlLibrary(): typeof NodeSaml {
  loaded ??= createRequire(import.meta.url)('@node-saml/node-saml') as typeof NodeSaml;
  return loaded;
}
