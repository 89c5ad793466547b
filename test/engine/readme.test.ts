import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'relata-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first TypeScript block of the engine's README: plain enough to be JavaScript as it stands. */
function example(): string {
  const block = /```ts\n([\s\S]*?)```/.exec(readFileSync('engine/README.md', 'utf8'));
  return block?.[1] ?? '';
}

describe('the example in engine/README.md', () => {
  it('runs against the built engine and prints what the text says', () => {
    const built = pathToFileURL(join('dist', 'engine', 'index.js')).href;
    const code = example().replace("'relata/engine'", `'${built}'`);
    expect(code).toContain(built);
    const file = join(folder, 'example.mjs');
    writeFileSync(file, code);
    for (const _ of ['the first time', 'again']) {
      expect(execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })).toBe('allowed\n');
    }
  });

  it('has about twenty lines of its own', () => {
    const model = /dsl: `[\s\S]*?`/.exec(example())?.[0].split('\n').length ?? 0;
    expect(example().trim().split('\n').length - model).toBeLessThanOrEqual(20);
  });
});
