import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILD_MS, BUILT, type FoundNats, VERSION } from '../find-nats.ts';

const shift = fileURLToPath(new URL('shifted-time.go', import.meta.url));
const read = /^\tsec, nsec, mono := .+Now\(\)$/m;

/**
 * A `nats-server` whose time of day a file moves (`TEST_CLOCK_FILE`), built from its source with another `time.Now` of
 * Go. Programs in Go read the clock without the libraries by which others are told another time.
 */
export function shiftedNats(): FoundNats {
  const folder = join(BUILT, 'shifted');
  const path = join(folder, 'nats-server');
  if (existsSync(path)) return { path };
  try {
    const library = join(go('env', 'GOROOT').trim(), 'src', 'time');
    const original = join(library, 'time.go');
    const source = readFileSync(original, 'utf8');
    if (!read.test(source)) return { missing: 'the time of this version of Go is read in another way' };
    mkdirSync(folder, { recursive: true });
    const changed = join(folder, 'time.go');
    writeFileSync(changed, source.replace(read, '$&\n\tsec = shifted(sec)'));
    const overlay = join(folder, 'overlay.json');
    writeFileSync(overlay, JSON.stringify({ Replace: { [original]: changed, [join(library, 'shifted.go')]: shift } }));
    go('install', '-overlay', overlay, `github.com/nats-io/nats-server/v2@${VERSION}`);
    return { path };
  } catch (error) {
    return {
      missing: `no nats-server with a clock that can be moved: ${error instanceof Error ? error.message : error}`,
    };
  }
}

function go(...parameters: readonly string[]): string {
  const env = { ...process.env, GOBIN: join(BUILT, 'shifted'), GOFLAGS: '-buildvcs=false' };
  return execFileSync('go', parameters, { env, encoding: 'utf8', timeout: BUILD_MS });
}
