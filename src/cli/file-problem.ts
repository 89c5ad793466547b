import { CliError } from './cli-error.ts';

/** What the system says of a file, and what to do about it. */
const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist: check the path',
  EACCES: 'is not accessible to this user: run the command as its owner, or change its owner or mode',
  EPERM: 'is not accessible to this user: run the command as its owner, or change its owner or mode',
  EISDIR: 'is a folder, not a file: name a file in it',
  ENOTDIR: 'is inside a file, not a folder: check the path',
  EEXIST: 'is not a folder: choose another path, or move the file away',
  EROFS: 'is on a read-only file system: choose another folder (--data, RELATA_DATA_DIR)',
};

/** What the machine has too little of. */
const SHORTAGES: Readonly<Record<string, string>> = {
  ENOSPC: 'cannot be written: the disk is full; free some space',
  EDQUOT: 'cannot be written: this user has reached a disk quota; free some space',
  EMFILE: 'cannot be opened: this process has too many open files; raise the limit (ulimit -n)',
  ENFILE: 'cannot be opened: the system has too many open files',
};

/** One sentence that names the file and the way out. `undefined` where the error is about no file. */
export function fileProblem(error: unknown, name?: string): string | undefined {
  const { code, path = name } = (error ?? {}) as NodeJS.ErrnoException;
  const problem = code === undefined ? undefined : (FILE_PROBLEMS[code] ?? SHORTAGES[code]);
  return problem === undefined || path === undefined ? undefined : `${name ?? path} ${problem} (${code})`;
}

/** Whether another file, or another owner of it, would do. */
export function isFileUnusable(error: unknown): boolean {
  return ((error as NodeJS.ErrnoException | undefined)?.code ?? '') in FILE_PROBLEMS;
}

/** For a file that the caller named. */
export function unusableFile(name: string, error: unknown): CliError {
  return new CliError(fileProblem(error, name) ?? `${name} cannot be used: ${(error as Error).message}`);
}
