import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What the first cells of a document's tables name between backticks. */
function rowsOf(document: string): string[] {
  const cells = [...readFileSync(document, 'utf8').matchAll(/^\| (`[^|]+`) +\|/gm)];
  return cells.flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

/** All folders below one, by their paths from there. */
function foldersOf(root: string, below = ''): string[] {
  const folders = readdirSync(join(root, below), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => [join(below, name), ...foldersOf(root, join(below, name))]);
}

/** Rooms whose folders are modules, as `src/README.md` says. */
const divided = ['kernel', 'directory', 'identity', 'protocols', 'access', 'delivery'];

test('the map of the engine has each of its folders', () => {
  const rooms = rowsOf('engine/README.md').map((name) => name.replace(/\/$/, ''));
  const folders = foldersOf('engine').filter((folder) => !/^docs\b/.test(folder) && folder !== 'evaluate');
  expect(rooms.toSorted()).toEqual(folders.toSorted());
});

test('the map of the service has each room and each module', () => {
  const rows = rowsOf('src/README.md');
  const rooms = foldersOf('src').filter((folder) => !folder.includes('/') && folder !== 'docs');
  const modules = divided.flatMap((room) =>
    foldersOf(join('src', room))
      .filter((folder) => !folder.includes('/'))
      .map((folder) => `${room}/${folder}`),
  );
  expect(rows.toSorted()).toEqual([...rooms.map((room) => `${room}/`), ...modules, 'main.ts'].toSorted());
});

test('the list of the long tests has each of them', () => {
  const scripts = readdirSync('test/long').flatMap((file) => /^(.*)\.ts$/.exec(file)?.[1] ?? []);
  const [list = ''] = readFileSync('test/long/README.md', 'utf8').split('\n## ');
  const rows = [...list.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name = '']) => name);
  expect(rows.toSorted()).toEqual(scripts.toSorted());
});

test('the map of the tests names folders and files that there are', () => {
  const text = readFileSync('test/README.md', 'utf8');
  const paths = [...text.matchAll(/`([\w-]+(?:\/[\w-]+)*(?:\/|\/[\w-]+\.(?:test\.)?(?:ts|txt)))`/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(40);
  const missing = paths.filter((path) => !existsSync(join('test', path)) && !existsSync(path));
  expect(missing).toEqual([]);
});
