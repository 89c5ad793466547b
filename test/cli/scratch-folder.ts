import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

export interface ScratchFolder {
  /** A path inside of the folder. */
  path(name: string): string;
  /** Writes a file and answers its path. */
  file(name: string, text: string | Uint8Array): string;
}

/** An empty folder for each test of the file that calls this. */
export function scratchFolder(): ScratchFolder {
  let root = '';
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'relata-cli-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));
  return {
    path: (name) => join(root, name),
    file(name, text) {
      writeFileSync(join(root, name), text);
      return join(root, name);
    },
  };
}

export const MODEL = `model
  schema 1.1
type user
type group
  relations
    define member: [user, user:*, group#member]
type doc
  relations
    define parent: [doc]
    define viewer: [user, group#member, user with recent]
condition recent(age: int) {
  age < 10
}
`;
