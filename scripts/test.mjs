/**
 * `npm test`: the checks and tests, from a fresh clone; `npm run test:whole` has the long files too. Each step before the tests
 * counts as one test. The last line is the sum, alone. A stage that fails does not stop the next, so that one run shows everything that is
 * wrong.
 */
import { join } from 'node:path';
import { installDebianPackages } from './debian-packages.mjs';
import { withNode } from './other-node.mjs';
import { buildIfStale, install, requireNode, root, run } from './prepare.mjs';
import { Tally } from './tally.mjs';
import { runVitest } from './vitest.mjs';

const tools = {
  biome: '@biomejs/biome/bin/biome',
  tsc: 'typescript/bin/tsc',
  knip: 'knip/bin/knip.js',
};

/** The LTS to serve on. A run on another Node.js runs the tests of the service's own HTTP on it, too. */
const lts = 24;
const quickFiles = ['socket', 'contract', 'framing', 'closing-port', 'open-transport'].map(
  (name) => `test/http/transport/${name}`,
);

requireNode();
const filters = process.argv.slice(2);
const tally = new Tally();
if (tally.check('packages', install)) {
  // Threads cannot load TypeScript: the tests that start some use the built files.
  tally.check('build', buildIfStale);
  for (const { name, reason } of installDebianPackages()) tally.skip(name, reason);
  tally.check('format', () => tool('biome', ['format', '.']));
  tally.check('lint', () => tool('biome', ['lint', '--error-on-warnings', '.']));
  // What has not changed since the last run is not checked anew; its errors are kept beside it and told again.
  const kept = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo'];
  tally.check('types', () => tool('tsc', ['-p', 'tsconfig.json', '--noEmit', ...kept]));
  tally.check('dead code', () => tool('knip', ['--config', 'config/knip.json', '--no-progress']));
  tally.suite('tests', () => runVitest({ filters }));
  if (filters.length === 0 && !process.versions.node.startsWith(`${lts}.`)) quickly(lts);
}
tally.finish();

function quickly(version) {
  const name = `tests on Node.js ${version}`;
  withNode(version, (node) => {
    if (node === undefined) tally.skip(name, 'that version could not be installed from the registry');
    else tally.suite(name, () => runVitest({ node, filters: quickFiles }));
  });
}

function tool(name, parameters) {
  return run(process.execPath, [join(root, 'node_modules', tools[name]), ...parameters]);
}
