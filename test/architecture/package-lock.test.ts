import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from './source-tree.ts';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const text = readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Readonly<Record<string, LockedPackage>> };
const entries = Object.entries(packages);

describe('package-lock.json', () => {
  // With an address in the lock file, npm fetches from there and from no mirror that the reader may have to use.
  it('names no address to fetch from', () => {
    expect(entries.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
    expect(text).not.toMatch(/https?:\/\/[^"]*(?:registry|\.tgz|:\d)/);
  });

  it('pins the content of every package that is not for one platform', () => {
    const unpinned = entries.filter(([path, { integrity, optional }]) => path !== '' && !optional && !integrity);
    expect(unpinned.map(([path]) => path)).toEqual([]);
  });

  // `npm ci` refuses a lock file that lacks one; `npm run lock` adds what the registry at hand did not carry.
  it('has the packages for every platform', () => {
    const missing = entries.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
      ),
    );
    expect(missing).toEqual([]);
  });
});
