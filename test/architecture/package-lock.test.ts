import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from './source-tree.ts';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

const text = readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8');
const packages = Object.entries((JSON.parse(text) as { packages: Record<string, LockedPackage> }).packages);

// With an address in the lock file, npm fetches from there and from no mirror that the reader may have to use.
describe('package-lock.json', () => {
  it('names no address to fetch from', () => {
    expect(packages.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
    expect(text).not.toMatch(/https?:\/\/[^"]*(?:registry|\.tgz|:\d)/);
  });

  it('pins the content of every package', () => {
    const unpinned = packages.filter(([path, entry]) => path !== '' && !entry.link && entry.integrity === undefined);
    expect(unpinned.map(([path]) => path)).toEqual([]);
  });
});
