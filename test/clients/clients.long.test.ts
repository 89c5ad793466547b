/** `npm test` has the document that clients are generated from (`contract/`, `operations/`). */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';
import { PythonTools } from './python-tools.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

let service: InProcessService;
let organization: InProcessOrganization;
let folder: string;
let document: string;

beforeAll(async () => {
  service = await InProcessService.start();
  organization = await service.organization('clients');
  folder = mkdtempSync(join(tmpdir(), 'relata-clients-'));
  document = join(folder, 'openapi.json');
  writeFileSync(document, await (await fetch(`${service.url}/openapi.json`)).text());
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const settings = () => ({
  RELATA_URL: service.url,
  RELATA_TENANT: organization.organization.slug,
  RELATA_KEY: organization.key,
});

/** The output, also of what fails. */
async function outputOf(file: string, parameters: readonly string[]): Promise<string> {
  const env = { ...process.env, ...settings() };
  try {
    const { stdout, stderr } = await run(file, parameters, { env, encoding: 'utf8' });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return `${stdout}${stderr}${String(error)}`;
  }
}

const tool = (path: string) => join(root, 'node_modules', path);

describe('a client in TypeScript, generated from /openapi.json', () => {
  test('compiles, and calls twenty operations', { timeout: 180_000 }, async () => {
    const generated = join(folder, 'generated.d.ts');
    await outputOf(process.execPath, [tool('openapi-typescript/bin/cli.js'), document, '-o', generated]);
    expect(readFileSync(generated, 'utf8')).toContain('CheckRelationRequest');
    copyFileSync(join(root, 'test/clients/typescript/calls.ts.txt'), join(folder, 'calls.ts'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const compilerOptions = {
      strict: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom'],
      types: ['node'],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['calls.ts'] }));
    const compile = () => outputOf(process.execPath, [tool('typescript/bin/tsc'), '-p', folder]);
    expect(await compile()).toBe('');
    expect(await outputOf(process.execPath, [join(folder, 'calls.js')])).toMatch(/^2\d operations\n$/);
    // and what the service would refuse does not compile
    const wrong = readFileSync(join(folder, 'calls.ts'), 'utf8').replace("{ name: 'Anne B.' }", '{ nam: 1 }');
    writeFileSync(join(folder, 'calls.ts'), wrong);
    expect(await compile()).toContain("'nam' does not exist");
  });
});

describe('a client in Python, generated from /openapi.json', () => {
  test('is whole, and calls twenty operations', { timeout: 300_000 }, async (context) => {
    const tools = await PythonTools.ready(['openapi-python-client==0.29.1']);
    if (tools.missing !== undefined) return context.skip(tools.missing);
    const target = join(folder, 'relata_client');
    const parameters = ['generate', '--path', document, '--meta', 'none', '--output-path', target];
    const said = await tools.run(['-m', 'openapi_python_client', ...parameters]);
    // operations and schemas that it cannot read it leaves out, and says so
    expect(said.output + said.errors).not.toMatch(/unable|failure|error/i);
    const calls = join(root, 'test/clients/python/calls.py');
    const called = await tools.run([calls], { ...settings(), PYTHONPATH: folder });
    expect(called.output + called.errors).toMatch(/^2\d operations\n$/);
  });
});
