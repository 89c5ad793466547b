import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/index.ts';
import { ConfigError, ListenError } from '../../src/platform/index.ts';
import { runCli, startCli } from './run-cli.ts';

describe('relata', () => {
  it('explains every command and the exit codes', async () => {
    const { out, code } = await runCli(['--help']);
    expect(code).toBe(0);
    for (const name of ['serve', 'import', 'export', 'backup', 'restore', 'verify', 'model']) {
      expect(out).toContain(`\n  ${name}`);
      expect(await runCli([name, '--help'])).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringContaining('Usage: relata'),
      });
    }
    expect(out).toMatch(/Exit codes:\n {2}0 {3}done\n {2}1 {3}done, but something was found/);
  });

  it("prints its version, which is the package's", async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await runCli(['--version'])).toEqual({ code: 0, err: '', out: `${version}\n` });
  });

  it.each([
    { name: 'a port in use', given: new ListenError({ host: 'h', port: 1 }, coded('EADDRINUSE')), code: 3 },
    { name: 'a port that is not allowed', given: new ListenError({ host: 'h', port: 1 }, coded('EACCES')), code: 2 },
    { name: 'a setting', given: new ConfigError(['RELATA_PORT: no']), code: 2 },
    { name: 'a file of another user', given: coded('EACCES', '/data/master-key'), code: 2 },
    { name: 'a full disk', given: coded('ENOSPC', '/data/platform-key'), code: 70 },
  ])('ends with the code that --help names: $name', async ({ given, code }) => {
    const { lines, code: found } = await served(() => Promise.reject(given));
    expect(found).toBe(code);
    expect(lines).toHaveLength(1);
    if ('path' in given) expect(lines[0]).toContain(`relata: ${given.path} `);
  });

  it.each<{ name: string; given: string[]; expect: string }>([
    { name: 'no command', given: [], expect: 'Usage: relata' },
    { name: 'an unknown command', given: ['imprt'], expect: "unknown command 'imprt'\n(Did you mean import?)" },
    { name: 'a missing argument', given: ['import'], expect: "missing required argument 'file'" },
    { name: 'too many arguments', given: ['backup', 'a', 'b'], expect: 'too many arguments' },
    {
      name: 'an unknown format',
      given: ['export', '--format', 'xml'],
      expect: 'Allowed choices are ndjson, csv, fga-yaml',
    },
    { name: 'a setting that cannot be used', given: ['verify'], expect: 'RELATA_PORT: must be a whole number' },
  ])('refuses $name', async ({ given, expect: expected }) => {
    const { err, code } = await runCli(given, { environment: { RELATA_PORT: 'x' } });
    expect(code).toBe(2);
    expect(err).toContain(expected);
  });

  it('says in one line what went wrong with the server', async () => {
    const result = await served(() => Promise.reject(new Error('the port\n  is taken')));
    expect(result).toEqual({ lines: ['relata: the port is taken\n'], code: 70 });
  });

  it('ends quietly when nobody reads what it prints', async () => {
    const child = startCli(['--help']);
    const exited = once(child, 'exit');
    child.stdout?.destroy();
    let err = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    expect([await exited, err]).toEqual([[0, null], '']);
  });
});

function coded(code: string, path?: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: it says`), { code, ...(path === undefined ? {} : { path }) });
}

/** What `relata serve` writes, and its exit code. */
async function served(serve: () => Promise<void>): Promise<{ lines: string[]; code: number }> {
  const lines: string[] = [];
  let code = 0;
  const output = {
    write: (text: string | Uint8Array) => {
      lines.push(String(text));
      return true;
    },
    on: () => undefined,
  };
  const terminal = {
    input: process.stdin,
    out: output,
    err: output,
    environment: {},
    setExitCode: (value: number) => {
      code = value;
    },
  };
  await buildProgram({ serve, describe: () => Promise.reject(new Error('not asked')), terminal }).parse(['serve']);
  return { lines, code };
}
