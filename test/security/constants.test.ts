import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InProcessOrganization, InProcessService } from '../identity/sessions/in-process-service.ts';

/** Where lifetimes, counts and windows guard something. */
const rooms = ['access', 'directory', 'http', 'identity', 'kernel', 'platform', 'protocols'];
/** A number, or a sum or product of numbers and of other constants, by itself at the top of a file. */
const constant = /^(?:export )?const ([A-Z][A-Z\d_]*|[a-z]\w*(?:Max|Min|Ms|Bytes|Length)) = ([\dA-Z_ ().*+-]+);$/gm;

let service: InProcessService;
let organization: InProcessOrganization;

beforeAll(async () => {
  service = await InProcessService.start();
  organization = await service.organization('constants');
});
afterAll(() => service.stop());

/**
 * As they stand, since most of them are nobody’s business outside of their file. By the names of files, so that a move is
 * no change.
 */
function constantsOf(room: string): string[] {
  const folder = fileURLToPath(new URL(`../../src/${room}`, import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  return files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(constant)].map(
      ([, name, value]) => `${basename(file)} ${name} = ${value}`,
    ),
  );
}

describe('times and counts that something rests on are those of the table', () => {
  test('in the code', async () => {
    const found = rooms.flatMap(constantsOf).toSorted();
    expect(found.length).toBeGreaterThan(150);
    await expect(`${found.join('\n')}\n`).toMatchFileSnapshot('constants.txt');
  });

  test('by default, in the settings of an organization', async () => {
    const { body } = await organization.tenant('GET', '/admin/settings/security');
    expect(body).toMatchInlineSnapshot(`
      {
        "data": {
          "accessTokenTtl": 3600,
          "lockoutDuration": 900,
          "maxLoginAttempts": 10,
          "refreshTokenTtl": 1209600,
          "requirePkce": true,
          "sessionTimeout": 7200,
          "tupleAudit": "summary",
        },
      }
    `);
  });
});
