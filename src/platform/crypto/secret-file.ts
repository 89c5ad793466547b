import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

interface SecretFile {
  readonly secret: string;
  /** True on the one start that made it: the moment to print it. */
  readonly created: boolean;
}

/**
 * Reads a generated secret (the platform key, the master key) from its file, or makes it once, with mode 0600. The file
 * appears complete or not at all: it is written and synced under another name, then linked.
 */
export function loadOrCreateSecret(file: string, generate: () => string): SecretFile {
  const existing = readSecret(file);
  if (existing !== undefined) return { secret: existing, created: false };
  mkdirSync(dirname(file), { recursive: true });
  const secret = generate();
  const draft = writeDraft(file, `${secret}\n`);
  try {
    linkSync(draft, file);
  } catch (cause) {
    const winner = readSecret(file);
    if (winner === undefined) throw cause;
    return { secret: winner, created: false };
  } finally {
    unlinkSync(draft);
  }
  return { secret, created: true };
}

/** Puts a text with secrets in place of a file, with mode 0600: complete or not at all. */
export function replaceFile(file: string, text: string): void {
  renameSync(writeDraft(file, text), file);
}

/** Answers its path. It is on disk. */
function writeDraft(file: string, text: string): string {
  const draft = `${file}.${process.pid}.new`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  return draft;
}

/** The secret in a file; `undefined` where there is none. */
export function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret === '') throw new Error(`${file} is empty: restore it, or remove it to generate a new secret`);
    return secret;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}
