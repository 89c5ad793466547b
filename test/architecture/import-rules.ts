import { posix } from 'node:path';
import { readImports } from './read-imports.ts';
import type { SourceFile } from './source-tree.ts';

/** Packages that exactly one room knows, so that they can be replaced there. */
const owners: Readonly<Record<string, string>> = {
  lmdb: 'engine/store/',
  'uWebSockets.js': 'src/http/',
  '@openfga/syntax-transformer': 'engine/model/',
  re2js: 'engine/condition/',
};

/** The rooms of src/ that stand below every other. Each may import itself and those that follow it. */
const foundation = ['http', 'texts', 'platform'];

/** The rooms of src/ that are divided: each of their folders is a module, entered through its own index.ts. */
const divided = ['kernel', 'directory', 'identity', 'protocols', 'access', 'delivery'];

/** Describes each import that runs against the house's directions, as `path:line: reason`. */
export function importViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    readImports(text).flatMap(({ specifier, line }) => {
      const reason = judge(path, specifier);
      return reason === undefined ? [] : [`${path}:${line}: ${reason}`];
    }),
  );
}

function judge(path: string, specifier: string): string | undefined {
  const owner = owners[packageOf(specifier)];
  if (owner !== undefined && !path.startsWith(owner)) return `only ${owner} imports ${packageOf(specifier)}`;
  const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined;
  return path.startsWith('engine/') ? judgeEngine(specifier, target) : judgeService(path, target);
}

function judgeEngine(specifier: string, target: string | undefined): string | undefined {
  if (specifier === '#engine') return 'the engine does not enter through its own front door';
  if (target !== undefined && !target.startsWith('engine/'))
    return `the engine imports nothing outside engine/ (${target})`;
  return undefined;
}

function judgeService(path: string, target: string | undefined): string | undefined {
  if (target === undefined) return undefined;
  if (target.startsWith('engine/')) return 'the service imports the engine only as #engine';
  if (!target.startsWith('src/')) return `the service imports nothing outside src/ (${target})`;
  const from = roomOf(path);
  const to = roomOf(target);
  if (moduleOf(path) === moduleOf(target) || from === undefined) return undefined;
  if (to === undefined) return 'only the composition root imports what stands beside main.ts';
  if (foundation.includes(to)) return judgeFoundation(from, to);
  if (foundation.includes(from)) return `${from} does not know the features (${to})`;
  return target === `${moduleOf(target)}/index.ts` ? undefined : `a module is entered through its index.ts (${target})`;
}

function judgeFoundation(from: string, to: string): string | undefined {
  const upwards = foundation.includes(from) && foundation.indexOf(to) < foundation.indexOf(from);
  return upwards ? `${from} does not know ${to}` : undefined;
}

/** Describes each circle of rooms of src/ that know each other, as `a -> b -> a`; types count as well. */
export function roomCircles(files: readonly SourceFile[]): string[] {
  return circles(files, roomOf);
}

/** The same of modules, and of rooms that are not divided. */
export function moduleCircles(files: readonly SourceFile[]): string[] {
  return circles(files, (path) => (roomOf(path) === undefined ? undefined : moduleOf(path).slice('src/'.length)));
}

/** The same of the folders of engine/, at every depth: of those that stand side by side in one folder. */
export function folderCircles(files: readonly SourceFile[]): string[] {
  const folders = new Set(files.map(({ path }) => posix.dirname(path)));
  const above = new Set([...folders].flatMap((folder) => [folder, posix.dirname(folder)]));
  return [...above].flatMap((folder) => {
    const isBelow = (path: string) => path.startsWith(`${folder}/`) && path.slice(folder.length + 1).includes('/');
    const child = (path: string) =>
      isBelow(path) ? `${folder}/${path.split('/')[folder.split('/').length]}` : undefined;
    return circles(files, child);
  });
}

function circles(files: readonly SourceFile[], placeOf: (path: string) => string | undefined): string[] {
  const known = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const from = placeOf(path);
    if (from === undefined) continue;
    for (const { specifier } of readImports(text)) {
      const to = specifier.startsWith('.') ? placeOf(posix.join(posix.dirname(path), specifier)) : undefined;
      if (to === undefined || to === from) continue;
      known.set(from, (known.get(from) ?? new Set()).add(to));
    }
  }
  const found: string[] = [];
  const isDone = new Set<string>();
  const visit = (place: string, way: readonly string[]): void => {
    const start = way.indexOf(place);
    if (start >= 0) found.push([...way.slice(start), place].join(' -> '));
    if (start >= 0 || isDone.has(place)) return;
    for (const next of known.get(place) ?? []) visit(next, [...way, place]);
    isDone.add(place);
  };
  for (const place of known.keys()) visit(place, []);
  return found;
}

/** The first folder below src/; undefined for the files beside main.ts, which compose the rest. */
function roomOf(path: string): string | undefined {
  const parts = path.split('/');
  return parts[0] === 'src' && parts.length > 2 ? parts[1] : undefined;
}

/** `src/directory/users` of a file in a divided room, `src/audit` of one in another. */
function moduleOf(path: string): string {
  const parts = path.split('/');
  return parts.slice(0, divided.includes(parts[1] ?? '') ? 3 : 2).join('/');
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}
