/** `npm run test:nodes`: the test suite on the later versions of Node.js. */
import { withNode } from './other-node.mjs';
import { buildIfStale, install, requireNode } from './prepare.mjs';
import { Tally } from './tally.mjs';
import { runVitest } from './vitest.mjs';

const versions = [22, 24];

requireNode();
const filters = process.argv.slice(2);
const tally = new Tally();
if (tally.check('packages', install) && tally.check('build', buildIfStale)) {
  for (const version of versions) {
    withNode(version, (node) => {
      if (!tally.check(`Node.js ${version}`, () => node !== undefined)) return;
      tally.suite(`tests on Node.js ${version}`, () => runVitest({ node, filters }));
    });
  }
}
tally.finish();
