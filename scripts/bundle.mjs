/**
 * Puts the command, its threads and its process for damaged data into the few files of `dist/bundle`: each thread of a service would load a thousand
 * small ones otherwise, which is half of the time of a start. All of them lie in one folder, because a thread's entry
 * is looked for beside the file that starts it.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { root } from './prepare.mjs';

/** What is put in from node_modules: packages of many files that every thread loads, and what stands on those. */
const inlined = ['@opentelemetry/api', 'jose', 'oauth4webapi', 'openid-client', 'zod'];

const entries = {
  main: 'src/main.ts',
  'acceptor-thread': 'src/server/threads/acceptor-thread.ts',
  'pool-thread': 'src/server/threads/pool-thread.ts',
  'delivery-thread': 'src/server/threads/delivery/delivery-thread.ts',
  'task-thread': 'src/server/threads/tasks/task-thread.ts',
  'writer-thread': 'engine/log/writer-thread.ts',
  'verify-process': 'engine/store/verify/apart/verify-process.ts',
};

/** Each thread reads and keeps the text of its code: without comments but those of licences, lines stay as they are. */
const comments = { legal: true, annotation: false, jsdoc: false };

const folder = join(root, 'dist', 'bundle');

await build({
  cwd: root,
  input: entries,
  platform: 'node',
  tsconfig: 'tsconfig.json',
  resolve: { conditionNames: ['source', 'import', 'node'] },
  external: (id) => isPackage(id) && !inlined.includes(packageOf(id)),
  treeshake: { moduleSideEffects: hasSideEffects },
  logLevel: 'warn',
  output: { dir: folder, cleanDir: true, format: 'esm', chunkFileNames: '[name].js', sourcemap: true, comments },
});

for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
  const path = join(folder, name);
  writeFileSync(path, inAscii(readFileSync(path, 'utf8')));
}

/**
 * Every character beyond ASCII as its escape, which texts, regular expressions and names may have alike: V8 keeps a source
 * with one such character in two bytes for each of its characters, in every thread. Lines stay as they are.
 */
function inAscii(code) {
  return code.replace(/(\\*)([\u0080-\uffff])/g, (_, slashes, unit) => {
    // before such a character a backslash of its own means nothing
    const before = slashes.length % 2 === 1 ? slashes.slice(1) : slashes;
    return `${before}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function isPackage(id) {
  return !/^[./#]/.test(id);
}

function packageOf(id) {
  return id.split('/', id.startsWith('@') ? 2 : 1).join('/');
}

/** This project's own modules do nothing when they are loaded, but for the entries: what nobody uses is left out. */
function hasSideEffects(path) {
  const isOwn = ['engine', 'src'].some((folder) => path.startsWith(join(root, folder)));
  return !isOwn || Object.values(entries).some((entry) => path === join(root, entry));
}
