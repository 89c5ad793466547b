/** `npm run test:long NAME [arguments]`: one of the long tests of test/long/, which are too long for `npm test`. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfStale, install, requireNode, root, run } from './prepare.mjs';

requireNode();
const files = readdirSync(join(root, 'test', 'long')).filter((file) => file.endsWith('.ts'));
const names = files.map((file) => file.replace(/\.ts$/, ''));
const [name, ...parameters] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  console.error(`npm run test:long NAME [arguments], where NAME is one of: ${names.join(', ')}`);
  process.exitCode = 1;
} else {
  process.exitCode = install() && buildIfStale() && test() ? 0 : 1;
}

function test() {
  const tsx = fileURLToPath(import.meta.resolve('tsx/cli'));
  return run(process.execPath, [tsx, join('test', 'long', `${name}.ts`), ...parameters]);
}
