import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunningService } from '../server/running-service.ts';

const run = promisify(execFile);

/** Guides whose commands are all run, in their order; that of the first model replaces the one of the demonstration. */
const guides = ['checks-in-an-application', 'roles', 'sign-in-for-an-application', 'agents', 'first-model'];

let service: RunningService;
let key: string;

beforeAll(async () => {
  service = await RunningService.start({ RELATA_THREADS: '1', RELATA_DEMO: '1' });
  key = /API key: (\S+)/.exec(service.output())?.[1] ?? '';
});
afterAll(() => service.remove());

function blocksOf(guide: string, language: string): string[] {
  const text = readFileSync(`src/docs/guides/${guide}.md`, 'utf8');
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
}

/** As a reader would type it, with the address of this server and its key; the first answer that is an error ends it. */
function asTyped(code: string): string {
  return code.replaceAll('http://localhost:8080', service.url).replace(/^KEY=.*$/m, `KEY=${key}`);
}

describe('the commands of a guide', () => {
  test.each(guides)('%s', { timeout: 120_000 }, async (guide) => {
    const commands = blocksOf(guide, 'sh').map(asTyped).join('\n');
    const strict = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; echo; }\n';
    const { stdout } = await run('bash', ['-c', strict + commands]);
    expect(stdout.length).toBeGreaterThan(0);
  });

  test('the first model decides as the guide says', { timeout: 60_000 }, async () => {
    const ask = (subject: string, relation: string) =>
      service.call('POST', '/t/demo/api/v1/zanzibar/check', {
        key,
        body: { object: 'project:shop', relation, subject },
      });
    expect((await ask('user:anne', 'editor')).at('allowed')).toBe(true);
    expect((await ask('user:bob', 'editor')).at('allowed')).toBe(false);
  });

  test('the script of checks runs', { timeout: 60_000 }, async () => {
    // of a demonstration that still has its own model
    const other = await RunningService.start({ RELATA_THREADS: '1', RELATA_DEMO: '1' });
    try {
      const otherKey = /API key: (\S+)/.exec(other.output())?.[1] ?? '';
      const [script = ''] = blocksOf('checks-in-an-application', 'js');
      const env = { ...process.env, RELATA_KEY: otherKey, API: `${other.url}/t/demo/api/v1` };
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { env });
      expect(stdout).toBe('Carol may see the roadmap.\n');
    } finally {
      await other.remove();
    }
  });
});
