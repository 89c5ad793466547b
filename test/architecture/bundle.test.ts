import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../dist/bundle', import.meta.url));

test('bundled files are ASCII: each thread keeps their text, and one other character doubles it', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  expect(names).toContain('modules.js');
  const isAscii = (name: string) => readFileSync(join(folder, name)).every((byte) => byte < 0x80);
  expect(names.filter((name) => !isAscii(name))).toEqual([]);
});
