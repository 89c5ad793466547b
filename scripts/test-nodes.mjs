/**
 * `npm run test:nodes`: the test suite on the later versions of Node.js. Their binaries come as npm packages into a
 * temporary folder; the repository's own node_modules stays as it is.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfStale, install, npm, requireNode, run } from './prepare.mjs';
import { Tally } from './tally.mjs';
import { runVitest } from './vitest.mjs';

const versions = [22, 24];

requireNode();
const filters = process.argv.slice(2);
const tally = new Tally();
if (tally.check('packages', install) && tally.check('build', buildIfStale)) {
  for (const version of versions) testOn(version);
}
tally.finish();

function testOn(version) {
  const folder = mkdtempSync(join(tmpdir(), `relata-node-${version}-`));
  const name = `node-${process.platform}-${process.arch}`;
  try {
    const fetched = tally.check(`Node.js ${version}`, () => {
      const parameters = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${name}@${version}`];
      const [command, all] = npm(parameters);
      return (
        run(command, all, { cwd: folder }) && run(join(folder, 'node_modules', name, 'bin', 'node'), ['--version'])
      );
    });
    if (!fetched) return;
    const node = join(folder, 'node_modules', name, 'bin', 'node');
    tally.suite(`tests on Node.js ${version}`, () => runVitest({ node, filters }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
