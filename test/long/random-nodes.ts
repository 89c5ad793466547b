/**
 * Runs the tests that ask the shared service where it is three nodes of a cluster, each request at any of them, with its
 * consistency token carried along:
 *
 *     npm run test:long random-nodes [parts of paths]
 *
 * Needs `nats-server` (RELATA_TEST_NATS, the PATH, or Go to build it). The exit code is 1 where a test fails.
 */
import { findNats } from '../cluster/find-nats.ts';
import { runOnNodes } from '../cluster/random-nodes/run-on-nodes.ts';
import { onOneProcess, sharedServiceFiles } from '../cluster/random-nodes/shared-service-files.ts';

const parts = process.argv.slice(2);
const nats = findNats();
if ('missing' in nats) {
  console.error(`cannot run: ${nats.missing}`);
  process.exitCode = 1;
} else {
  const asked = sharedServiceFiles().filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  const files = asked.filter((file) => onOneProcess[file] === undefined);
  const { passed, failed, output } = await runOnNodes(nats.path, files);
  if (failed.length > 0) console.error(output);
  for (const { file, tests } of failed) console.error(`${file}\n${tests.map((test) => `  ${test}`).join('\n')}`);
  const left = asked.length - files.length;
  console.log(`${files.length} files: ${passed} tests passed, ${failed.length} files failed; ${left} mean one process`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
