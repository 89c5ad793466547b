/**
 * `npm run lock`: after a dependency changed, brings package-lock.json to where `npm ci` accepts it on every platform.
 * npm leaves out a package for another platform where the registry that it asks does not carry it, and then refuses
 * the lock file as out of step. The version is the one that the depending package pins; platform and processor are in
 * the name. Such an entry has no checksum, which no install on this platform would use.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

const platforms = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

const path = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8'));
const added = [];
for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(parent, name)) continue;
    lock.packages[`node_modules/${name}`] = platformEntry(name, version, entry.dev);
    added.push(`${name} ${version}`);
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([one], [other]) => one.localeCompare(other, 'en')),
);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length === 0 ? 'The lock file is complete.' : `Added:\n  ${added.join('\n  ')}`);

function isLocked(parent, name) {
  return [`${parent}/node_modules/${name}`, `node_modules/${name}`].some((location) => location in lock.packages);
}

function platformEntry(name, version, dev) {
  const parts = name.replace(/^.*\//, '').split('-');
  const os = platforms.filter((platform) => parts.includes(platform));
  const cpu = processors.filter((processor) => parts.includes(processor));
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`${name} does not name one platform and one processor`);
  const libc = libcOf(parts);
  return { version, cpu, ...(dev && { dev }), ...(libc && { libc: [libc] }), optional: true, os };
}

function libcOf(parts) {
  if (parts.some((part) => part.startsWith('musl'))) return 'musl';
  return parts.some((part) => part.startsWith('gnu')) ? 'glibc' : undefined;
}
