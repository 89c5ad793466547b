import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const shared = resolve(root, 'test/server/shared-service.ts');

/** Files that do not run there, with what in them means one process. */
export const onOneProcess: Readonly<Record<string, string>> = {
  'test/audit/chain.test.ts': 'commands read the data folder of one process, and its master key beside it',
};

/** Test files that can ask the shared service, which RELATA_TEST_CLUSTER=1 makes three nodes of a cluster. */
export function sharedServiceFiles(): string[] {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(root, 'test', path));
  const imports = new Map(files.map((file) => [file, importsOf(file)]));
  return files
    .filter((file) => file.endsWith('.test.ts') && reaches(file, imports, new Set()))
    .map((file) => relative(root, file))
    .toSorted();
}

function importsOf(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g);
  return [...found].map(([, path = '']) => resolve(dirname(file), path));
}

function reaches(file: string, imports: ReadonlyMap<string, readonly string[]>, seen: Set<string>): boolean {
  if (file === shared) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  return (imports.get(file) ?? []).some((each) => reaches(each, imports, seen));
}
