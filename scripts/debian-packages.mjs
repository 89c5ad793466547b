import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './prepare.mjs';

/** Programs that tests use where they are there, by the Debian package that brings each. */
const packages = { wrk: 'wrk', chromium: 'chromium' };

/**
 * Installs what is missing, where that is possible: as root, with apt-get.
 * @returns {{name: string, reason: string}[]} what is still missing; tests that need it skip themselves
 */
export function installDebianPackages() {
  const missing = () => Object.keys(packages).filter((program) => !isOnPath(program));
  if (missing().length === 0) return [];
  if (process.getuid?.() !== 0 || !isOnPath('apt-get')) {
    return missing().map((name) => ({ name, reason: 'not installed, and installing it needs root and apt-get' }));
  }
  const names = missing().map((program) => packages[program]);
  console.log(`Installing from Debian: ${names.join(', ')}`);
  // A network that fails once, or another apt-get that is at work, is no reason to leave tests out.
  const patience = ['-o', 'Acquire::Retries=3', '-o', 'DPkg::Lock::Timeout=300'];
  const install = [...patience, 'install', '-y', '-qq', '--no-install-recommends', ...names];
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 600_000 };
  // Most of the time the lists are there already, and fetching them is the slow part.
  const known = spawnSync('apt-get', install, { ...options, stdio: 'ignore' }).status === 0;
  if (!known) run('apt-get', [...patience, 'update', '-qq'], options) && run('apt-get', install, options);
  return missing().map((name) => ({ name, reason: 'apt-get could not install it' }));
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
