import type { SourceFile } from './source-tree.ts';

const guarded = /\b#?background\??\s*\.(?:every|after|run|guarded|atTurnEnd|failed)\(\s*'([^']+)'/g;

/** Names of jobs that are guarded somewhere and stand in no list: their failures could not be told apart. */
export function unknownJobs(files: readonly SourceFile[], known: ReadonlySet<string>): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(guarded)]
      .map(([, job = '']) => job)
      .filter((job) => !known.has(job))
      .map((job) => `${path}: ${job}`),
  );
}
