import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/index.ts';
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
    expect(out).toContain('Exit codes: 0 done; 1 done, and the answer is no');
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
    const written: string[] = [];
    let code = 0;
    const output = {
      write: (text: string | Uint8Array) => {
        written.push(String(text));
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
    const serve = () => Promise.reject(new Error('the port\n  is taken'));
    await buildProgram({ serve, describe: () => Promise.reject(new Error('not asked')), terminal }).parse(['serve']);
    expect({ written, code }).toEqual({ written: ['relata: the port is taken\n'], code: 70 });
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
