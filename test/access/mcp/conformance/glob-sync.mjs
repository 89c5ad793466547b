import { register } from 'node:module';

// For `node --import`, before the conformance suite. It imports `fs.globSync`, which Node.js 20 does not have, and calls it
// only in commands that are not used here: this one finds no file.
const fs = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const hooks = `
  export function resolve(specifier, context, next) {
    if (specifier !== 'fs' || !context.parentURL?.includes('/@modelcontextprotocol/conformance/'))
      return next(specifier, context);
    return { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(fs)}`)}, shortCircuit: true };
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
