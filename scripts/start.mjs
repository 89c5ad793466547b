/**
 * `npm start`: from a fresh clone to a running server. The server runs in this very process and not in a child, so
 * that it receives every signal itself, once, and its exit code is the exit code.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale, install, requireNode, root } from './prepare.mjs';

requireNode();
if (!install() || !buildIfStale()) {
  process.exitCode = 1;
} else {
  const main = join(root, 'dist', 'src', 'main.js');
  process.argv = [process.execPath, main, 'serve', ...process.argv.slice(2)];
  await import(pathToFileURL(main).href);
}
