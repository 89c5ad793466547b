import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { environmentSettings } from '../../src/platform/config/environment.ts';
import { repositoryRoot } from './source-tree.ts';

const read = (name: string): string => readFileSync(join(repositoryRoot, name), 'utf8');
const dockerfile = read('Dockerfile');

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build: string;
        readonly environment: Readonly<Record<string, string>>;
        readonly volumes: readonly string[];
        readonly healthcheck: { readonly test: readonly string[] };
      }
    >
  >;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** What a Dockerfile takes from the folder that it is built in. */
function copied(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [instruction, ...words] = line.trim().split(/\s+/);
    return instruction === 'COPY' && !words[0]?.startsWith('--') ? words.slice(0, -1) : [];
  });
}

/** The variables that an image sets. */
function variables(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/\b(RELATA_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
}

it('lets into the container what its Dockerfile copies', () => {
  const names = copied(dockerfile);
  expect(names).toContain('src');
  const [everything, ...exceptions] = read('.dockerignore').trim().split('\n');
  expect(everything).toBe('*');
  expect(names.filter((name) => !exceptions.includes(`!${name}`))).toEqual([]);
});

it('builds and runs the image on the current LTS, which the package allows', () => {
  const images = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  expect(images).toEqual(['node:24-slim', 'node:24-slim']);
});

it('starts the image without the demonstration, with settings that there are', () => {
  const set = variables(dockerfile);
  expect(set).toMatchObject({ RELATA_DEMO: '0', RELATA_DATA_DIR: '/data' });
  expect(environmentSettings(set)).toMatchObject({ problems: [], warnings: [] });
});

it.each([
  { name: 'give memory back', setting: /\bMALLOC_MMAP_THRESHOLD_=\d+/ },
  { name: 'use huge pages', setting: /\bGLIBC_TUNABLES=\S+/ },
])('has glibc $name in the image as `npm start` does', ({ setting }) => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const [ofStart] = setting.exec(scripts.start ?? '') ?? [];
  expect(ofStart).toBeDefined();
  expect([scripts.bench, dockerfile].map((text) => setting.exec(text ?? '')?.[0])).toEqual([ofStart, ofStart]);
});

it('composes it with a volume for the data, a health check, and settings that there are', () => {
  const { services, volumes } = parse(read('compose.yaml')) as Compose;
  const { relata } = services;
  if (relata === undefined) throw new Error('there is no service relata');
  expect(relata.build).toBe('.');
  const [volume = '', path] = relata.volumes[0]?.split(':') ?? [];
  expect(volumes).toHaveProperty(volume);
  expect(path).toBe(variables(dockerfile).RELATA_DATA_DIR);
  expect(environmentSettings(relata.environment)).toMatchObject({ problems: [], warnings: [] });
  expect(relata.environment.RELATA_DEMO).toBe('0');
  // the dollar is doubled for Compose
  expect(relata.healthcheck.test.join(' ')).toContain('$${process.env.RELATA_PORT}/readyz');
});
