/**
 * `npm start`: from a fresh clone to a running server. The server runs in this very process and not in a child, so
 * that it receives every signal itself, once, and its exit code is the exit code. The script in package.json says
 * `exec` for the same reason: the shell that npm puts between would take SIGTERM and leave the server behind. Where
 * there is no such shell (Windows), run this file with node.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepareUntilSignal, requireNode, root } from './prepare.mjs';

requireNode();
const prepared = await prepareUntilSignal();
if (prepared === 'ready') {
  const main = join(root, 'dist', 'bundle', 'main.js');
  process.argv = [process.execPath, main, 'serve', ...process.argv.slice(2)];
  await import(pathToFileURL(main).href);
} else {
  // as a server that is told to end while it starts
  process.exitCode = prepared === 'stopped' ? 0 : 1;
}
