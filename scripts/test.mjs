/**
 * `npm test`: every check and test, from a fresh clone. Each tool counts as one test. The last line is the sum, alone.
 * A stage that fails does not stop the next, so that one run shows everything that is wrong.
 */
import { join } from 'node:path';
import { installDebianPackages } from './debian-packages.mjs';
import { buildIfStale, install, requireNode, root, run } from './prepare.mjs';
import { Tally } from './tally.mjs';
import { runVitest } from './vitest.mjs';

const tools = {
  biome: '@biomejs/biome/bin/biome',
  tsc: 'typescript/bin/tsc',
  knip: 'knip/bin/knip.js',
};

requireNode();
const filters = process.argv.slice(2);
const tally = new Tally();
if (tally.check('packages', install)) {
  // Threads cannot load TypeScript: the tests that start some use the built files.
  tally.check('build', buildIfStale);
  for (const { name, reason } of installDebianPackages()) tally.skip(name, reason);
  tally.check('format', () => tool('biome', ['format', '.']));
  tally.check('lint', () => tool('biome', ['lint', '--error-on-warnings', '.']));
  tally.check('types', () => tool('tsc', ['-p', 'tsconfig.json', '--noEmit']));
  tally.check('dead code', () => tool('knip', ['--config', 'config/knip.json', '--no-progress']));
  tally.suite('tests', () => runVitest({ filters }));
}
tally.finish();

function tool(name, parameters) {
  return run(process.execPath, [join(root, 'node_modules', tools[name]), ...parameters]);
}
