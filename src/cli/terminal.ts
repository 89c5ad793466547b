import type { Readable } from 'node:stream';

/** Where a command reads and writes; its tests bring their own. */
export interface Terminal {
  readonly input: Readable;
  /** Results: what a pipe should carry on. */
  readonly out: Output;
  /** Progress and errors. */
  readonly err: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  setExitCode(code: number): void;
}

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string | Uint8Array): boolean;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export function processTerminal(): Terminal {
  return {
    input: process.stdin,
    out: process.stdout,
    err: process.stderr,
    environment: process.env,
    setExitCode(code) {
      process.exitCode = code;
    },
  };
}
