import { renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'rolldown';
import { repositoryRoot } from '../../architecture/source-tree.ts';

const bundled = new Map<string, Promise<string>>();

/**
 * One file of JavaScript, made of a script and what it imports of this project. A process that is started many times
 * begins with it at once, where a loader of TypeScript takes a second.
 */
export function bundledScript(script: string): Promise<string> {
  const known = bundled.get(script) ?? bundle(script);
  bundled.set(script, known);
  return known;
}

async function bundle(script: string): Promise<string> {
  const file = join(repositoryRoot, 'dist', 'test', `${basename(script, '.ts')}.js`);
  const draft = `${file}.${process.pid}`;
  await build({
    input: script,
    platform: 'node',
    external: /^[^./]/,
    logLevel: 'warn',
    output: { file: draft, format: 'esm' },
  });
  // whole at once, because other test files may be starting the same
  renameSync(draft, file);
  return file;
}
