import { posix } from 'node:path';
import type { SourceFile } from './source-tree.ts';

/** A rule looks at a whole tree and describes each breach, beginning with the path. */
export type StyleRule = (files: readonly SourceFile[]) => string[];

const linesMax = 300;
const filesInFolderMax = 12;

/** A file past the bound needs an entry with its reason; an entry that is no longer needed is a breach too. */
export function tooLong(files: readonly SourceFile[], reasons: Readonly<Record<string, string>>): string[] {
  const long = new Map(files.map(({ path, text }) => [path, text.trimEnd().split('\n').length] as const));
  const breaches = [...long]
    .filter(([path, lines]) => lines > linesMax && !reasons[path])
    .map(([path, lines]) => `${path}: ${lines} lines, over ${linesMax}`);
  const needless = Object.keys(reasons)
    .filter((path) => (long.get(path) ?? 0) <= linesMax)
    .map((path) => `${path}: needs no entry among the long files`);
  return [...breaches, ...needless];
}

/** A folder that cannot be read at a glance is two folders. */
export const crowdedFolder: StyleRule = (files) => {
  const counts = new Map<string, number>();
  for (const { path } of files) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > filesInFolderMax)
    .map(([folder, count]) => `${folder}: ${count} files, over ${filesInFolderMax}`);
};

/** Names that say nothing about what is inside, of files and of folders. */
export const emptyName: StyleRule = (files) =>
  files
    .filter(({ path }) =>
      path.split('/').some((part) => /^(?:.+[-.])?(?:utils?|helpers?|common|misc)(?:\.|$)/.test(part)),
    )
    .map(({ path }) => `${path}: a name that says nothing`);

export const notKebabCase: StyleRule = (files) =>
  files
    .filter(({ path }) => path.split('/').some((part) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(part)))
    .map(({ path }) => `${path}: not in kebab-case`);

export const defaultExport: StyleRule = (files) =>
  linesThat(files, /^export\s+default\b|\bas\s+default\b/, 'a default export');

/** In casts, annotations and type arguments. */
export const anyType: StyleRule = (files) =>
  linesThat(files, /\bas\s+any\b|[:|&<,]\s*any\s*(?:[[\]|&<>,;)=]|$)/, 'the type any');

/** The marks that stand for "later". The brackets keep this line from finding itself. */
export const unfinished: StyleRule = (files) =>
  linesThat(files, /\b(?:TO[D]O|FIX[M]E|X[X]X)\b/, 'unfinished work', { comments: true });

/** Absolute paths exist on one machine only; temporary folders come from os.tmpdir(). */
export const machinePath: StyleRule = (files) =>
  linesThat(files, /(?:^|[\s'"`(=])\/(?:home|root|work|tmp|Users\/\w+)\/[\w.]/, 'a path of one machine', {
    comments: true,
  });

const guard = 'src/platform/background/';

/**
 * Timers and messages that run something go through the guard of background work: an error in them would end the
 * process. Waiting is no work.
 */
export const unguardedWork: StyleRule = (files) =>
  linesThat(
    files.filter(({ path }) => path.startsWith('src/') && !path.startsWith(guard)),
    /\bsetInterval\(|\bset(?:Timeout|Immediate)\((?!resolve\b|\(\) => (?:resolve|reject)\(|[\w.#]*background\.guarded\()|\.on\('message', async\b/,
    'work that no guard watches',
  );

const comment = /^\s*(?:\/\/|\/?\*)/;

function linesThat(
  files: readonly SourceFile[],
  pattern: RegExp,
  reason: string,
  read: { readonly comments: boolean } = { comments: false },
): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const counts = pattern.test(line) && (read.comments || !comment.test(line));
      return counts ? [`${path}:${index + 1}: ${reason}`] : [];
    }),
  );
}
