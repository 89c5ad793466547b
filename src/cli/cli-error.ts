/** What the process ends with. Scripts branch on these; they stand in `relata --help`. */
export const EXIT = {
  done: 0,
  /** The work was done, and the answer is no: a test failed, a verification found something. */
  negative: 1,
  /** The command, a setting or a file cannot be used as it is. */
  unusable: 2,
  /** Another process uses the data folder or the port. */
  inUse: 3,
  /** Anything else: a full disk, damaged data, a bug. */
  failed: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with one line on standard error. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.unusable, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}
