import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withEngine } from '../../src/cli/data-folder.ts';
import { roleRecords } from '../../src/directory/records/index.ts';
import { storeOf } from '../../src/kernel/organizations/index.ts';
import { clientRecords } from '../../src/protocols/oauth/index.ts';
import { runCli } from './run-cli.ts';
import { scratchFolder } from './scratch-folder.ts';

const scratch = scratchFolder();
const acme = { name: storeOf('acme') };
const SECRET = 'nobody-may-see-this';

const role = { slug: 'r', name: 'R', description: '', isSystem: false, createdAt: 1, updatedAt: 1 };
const client = { name: 'C', kind: 'admin', redirectUris: [], secretDigest: SECRET, registrationDigest: SECRET };

async function filled(roles: number): Promise<string> {
  const data = scratch.path('data');
  const tuples = scratch.file('a.ndjson', '{"object":"role:editor","relation":"assignee","subject":"user:anne"}\n');
  await runCli(['import', tuples, '--org', 'acme', '--create', '--data', data]);
  await withEngine(data, {}, async (engine) => {
    for (let i = 0; i < roles; i++) {
      const each = { ...role, slug: `r${i}` };
      await engine.submit(engine.command([roleRecords.put(acme, `id-${i}`, each)]));
    }
    await engine.submit(engine.command([clientRecords.put(acme, 'c', client as never)]));
  });
  return data;
}

const exported = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { collection: string; id: string; document: object });

describe('relata export --records', () => {
  it('writes every record of the kinds that are exported, page by page, and no secret', async () => {
    const data = await filled(1100);
    const { code, out, err } = await runCli(['export', '--org', 'acme', '--records', '--data', data]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const found = exported(out);
    expect(found.filter(({ id }) => id.startsWith('id-'))).toHaveLength(1100);
    expect(found).toContainEqual({ collection: 'roles', id: 'id-7', document: { ...role, slug: 'r7' } });
    expect(found.find(({ id }) => id === 'c')?.document).toEqual({ name: 'C', kind: 'admin', redirectUris: [] });
    expect(out).not.toContain(SECRET);
    expect(new Set(found.map(({ collection }) => collection))).toEqual(new Set(['roles', 'permissions', 'clients']));
  });

  it('writes a file, complete, and says how many', async () => {
    const data = await filled(1);
    const file = scratch.path('records.ndjson');
    const { code, out } = await runCli(['export', '--org', 'acme', '--records', '-o', file, '--data', data]);
    const count = exported(readFileSync(file, 'utf8')).length;
    expect({ code, out }).toEqual({ code: 0, out: `${count} records exported\n` });
  });

  it('knows no other format', async () => {
    const given = ['export', '--org', 'acme', '--records', '--format', 'csv', '--data', scratch.path('none')];
    expect(await runCli(given)).toMatchObject({ code: 2, err: expect.stringContaining('--records') });
  });
});
