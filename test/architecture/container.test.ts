import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from './source-tree.ts';

/** What a Dockerfile takes from the folder that it is built in. */
function copied(dockerfile: string): string[] {
  return dockerfile.split('\n').flatMap((line) => {
    const [instruction, ...words] = line.trim().split(/\s+/);
    return instruction === 'COPY' && !words[0]?.startsWith('--') ? words.slice(0, -1) : [];
  });
}

it('lets into the container what its Dockerfile copies', () => {
  const names = copied(readFileSync(join(repositoryRoot, 'Dockerfile'), 'utf8'));
  expect(names).toContain('src');
  const [everything, ...exceptions] = readFileSync(join(repositoryRoot, '.dockerignore'), 'utf8').trim().split('\n');
  expect(everything).toBe('*');
  expect(names.filter((name) => !exceptions.includes(`!${name}`))).toEqual([]);
});
