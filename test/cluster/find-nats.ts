import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { versionProblems } from '../../engine/log/stream/nats/check-servers.ts';

/** What is built where none is found. */
export const VERSION = 'v2.15.3';
export const BUILT = fileURLToPath(new URL('../../node_modules/.cache/nats', import.meta.url));
export const BUILD_MS = 240_000;

export type FoundNats = { readonly path: string } | { readonly missing: string };

let found: FoundNats | undefined;

/**
 * The program `nats-server`: `RELATA_TEST_NATS`, the one in the PATH where it is new enough, or one that Go builds. To be
 * called in a set-up: the first build takes a minute or two.
 */
export function findNats(): FoundNats {
  found ??= find();
  return found;
}

function find(): FoundNats {
  const named = process.env.RELATA_TEST_NATS;
  if (named !== undefined && named !== '') {
    return isRecent(named) ? { path: named } : { missing: `RELATA_TEST_NATS names no nats-server of 2.12.3 or later` };
  }
  const built = join(BUILT, 'nats-server');
  const places = [...(process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'nats-server')), built];
  const path = places.find((place) => existsSync(place) && isRecent(place));
  if (path !== undefined) return { path };
  return build() && isRecent(built)
    ? { path: built }
    : { missing: 'there is no nats-server of 2.12.3 or later, and no Go to build one' };
}

function build(): boolean {
  try {
    execFileSync('go', ['install', `github.com/nats-io/nats-server/v2@${VERSION}`], {
      env: { ...process.env, GOBIN: BUILT, GOFLAGS: '-buildvcs=false' },
      stdio: 'ignore',
      timeout: BUILD_MS,
    });
    return true;
  } catch {
    return false;
  }
}

function isRecent(path: string): boolean {
  try {
    const text = execFileSync(path, ['--version'], { encoding: 'utf8' });
    return versionProblems(/v?\d+\.\d+\.\d+/.exec(text)?.[0], path).length === 0;
  } catch {
    return false;
  }
}
