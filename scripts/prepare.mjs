/**
 * Makes a fresh clone ready with nothing but Node.js and npm: installs what the lock file names and compiles what has
 * changed. It imports no package, because it runs before there are any.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const nodeMinimum = [20, 19];
const sourceFolders = ['engine', 'src'];
const buildSettings = [
  'tsconfig.json',
  'config/tsconfig.build.json',
  'config/system.fga',
  'config/demo/model.fga',
  'scripts/bundle.mjs',
  'scripts/built-models.mjs',
  'package-lock.json',
];
const buildStamp = join(root, 'dist', '.built');

/** Ends with a sentence instead of a syntax error deep inside a package. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [wantedMajor, wantedMinor] = nodeMinimum;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  console.error(`Relata needs Node.js ${nodeMinimum.join('.')} or later; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs from the lock file unless everything that it names is installed. @returns {boolean} whether it succeeded */
export function install() {
  if (isInstalled()) return true;
  console.log('Installing packages (npm ci), which takes a minute or so the first time');
  // NODE_ENV=production would leave the compiler out; warnings are about what other versions of Node.js would need
  return run(...npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']));
}

/** Compiles engine/ and src/ into dist/, and bundles the command from them. @returns {boolean} whether it succeeded */
export function build() {
  console.log('Building, which takes some 20 seconds');
  const startedAt = new Date();
  rmSync(buildStamp, { force: true });
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const succeeded =
    run(process.execPath, [compiler, '-p', 'config/tsconfig.build.json']) &&
    run(process.execPath, [join('scripts', 'bundle.mjs')]) &&
    run(process.execPath, [join('scripts', 'built-models.mjs')]);
  for (const folder of sourceFolders) removeOrphans(join(root, 'dist', folder));
  // The stamp carries the time before the compiler read its first file: what is saved during a build is newer.
  if (succeeded) writeFileSync(buildStamp, `${startedAt.getTime()}\n`);
  return succeeded;
}

/** @returns {boolean} whether dist/ stands for the sources as they are now */
export function buildIfStale() {
  return isBuilt() || build();
}

function isBuilt() {
  return existsSync(buildStamp) && newestChange() < Number(readFileSync(buildStamp, 'utf8'));
}

/**
 * Installs and builds in processes of their own, so that this one hears signals meanwhile. One that tells it to end ends
 * them all: npm and the compiler would otherwise go on without it.
 * @returns {Promise<'ready' | 'failed' | 'stopped'>}
 */
export async function prepareUntilSignal() {
  if (isInstalled() && isBuilt()) return 'ready';
  // a group of its own, where there are groups: npm has processes below it
  const isGroup = process.platform !== 'win32';
  const script = join(root, 'scripts', 'prepare-apart.mjs');
  const child = spawn(process.execPath, [script], { cwd: root, stdio: 'inherit', detached: isGroup });
  let isStopped = false;
  const stop = (signal) => {
    isStopped = true;
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop);
  const code = await new Promise((resolve) => {
    child.on('exit', resolve).on('error', (error) => resolve(console.error(error.message)));
  });
  for (const signal of ['SIGTERM', 'SIGINT']) process.off(signal, stop);
  if (isStopped) return 'stopped';
  return code === 0 ? 'ready' : 'failed';
}

/** @returns {boolean} whether the command ended with code 0 */
export function run(command, parameters, options = {}) {
  const result = spawnSync(command, parameters, { cwd: root, stdio: 'inherit', ...options });
  if (result.error) console.error(`${command}: ${result.error.message}`);
  return result.status === 0;
}

/** The npm that started this script where there is one, so that both come from the same installation of Node.js. */
export function npm(parameters) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') ? [process.execPath, [cli, ...parameters]] : ['npm', parameters];
}

/**
 * Compares what npm recorded at its last installation with the lock file. Times of files are no evidence: npm writes
 * both at the end of one installation, and a checkout sets them to the time of the checkout.
 */
function isInstalled() {
  const recorded = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  const wanted = packagesOf(join(root, 'package-lock.json'));
  if (!recorded || !wanted) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = recorded[path];
    if (!found) return entry.optional === true || entry.devOptional === true || entry.peer === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function packagesOf(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : undefined;
}

/** In milliseconds. A folder's own time counts too: it is what changes when a file is removed. */
function newestChange() {
  let newest = 0;
  const note = (path) => {
    newest = Math.max(newest, statSync(path).mtimeMs);
  };
  for (const file of buildSettings) note(join(root, file));
  for (const folder of sourceFolders) {
    if (!existsSync(join(root, folder))) continue;
    note(join(root, folder));
    for (const entry of entriesBelow(join(root, folder))) note(join(entry.parentPath, entry.name));
  }
  return newest;
}

/** A compiled file whose source is gone would go on being imported, and hide that something is missing. */
function removeOrphans(folder) {
  if (!existsSync(folder)) return;
  for (const entry of entriesBelow(folder)) {
    const path = join(entry.parentPath, entry.name);
    const match = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(relative(join(root, 'dist'), path));
    if (!entry.isFile() || !match) continue;
    const sources = [`${match[1]}.ts`, `${match[1]}.tsx`];
    if (!sources.some((source) => existsSync(join(root, source)))) rmSync(path);
  }
}

function entriesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true });
}
