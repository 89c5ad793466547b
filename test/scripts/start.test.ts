import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relata-start-'));
  for (const name of ['scripts', 'package.json', 'package-lock.json'])
    cpSync(name, join(folder, name), { recursive: true });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** In place of npm: notes its process and that of one below it, and goes on until it is told to end. */
const LASTING = `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const below = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
writeFileSync('pids', [process.pid, below.pid].join(' '));
setInterval(() => {}, 1000);
`;

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
}

/** A start in a folder without packages, with this in place of npm. */
function start(npm: string): Started {
  const path = join(folder, 'npm-cli.mjs.js');
  writeFileSync(join(folder, 'npm-cli.mjs'), npm);
  writeFileSync(path, "import('./npm-cli.mjs');");
  const env = { ...process.env, npm_execpath: path };
  const child = spawn(process.execPath, [join(folder, 'scripts/start.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
  return { child, output: () => text };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('npm start that still installs', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('ends on %s, and npm with it', async (signal) => {
    const { child, output } = start(LASTING);
    const noted = join(folder, 'pids');
    await expect.poll(() => existsSync(noted) && readFileSync(noted, 'utf8').includes(' ')).toBe(true);
    const pids = readFileSync(noted, 'utf8').split(' ').map(Number);
    expect(pids.map(isRunning)).toEqual([true, true]);
    child.kill(signal);
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    await expect.poll(() => pids.map(isRunning)).toEqual([false, false]);
    expect(output()).toBe('Installing packages (npm ci), which takes a minute or so the first time\n');
    expect(existsSync(join(folder, 'dist'))).toBe(false);
  });

  test('ends with code 1 where that fails', async () => {
    const { child, output } = start("console.error('no network');\nprocess.exitCode = 7;\n");
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(output()).toContain('no network');
    expect(existsSync(join(folder, 'dist'))).toBe(false);
  });
});
