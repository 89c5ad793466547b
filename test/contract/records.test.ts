import { expect, test } from 'vitest';
import { modules } from '../../src/server/modules.ts';

const columns = ['collection', 'a record is', 'kept by', 'exported', 'over by its time', 'goes with its user'];

const head = `# Collections of records

What the service stores besides tuples, models and the change log. Collections are in the store of each organization, or in the
store of the platform. \`relata verify\` checks each record against the schema of its collection, and \`relata export --records\`
exports the marked ones, without secrets. Expired records are removed by a sweep some time later. Records that go with their
user are deleted in the commit that deletes the user.
`;

/** In the form that the formatter gives tables. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, place) => Math.max(column.length, ...rows.map((row) => row[place]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(columns), rule, ...rows.map(line)].join('\n');
}

test('the document of collections says what the modules keep', async () => {
  const is = (value: boolean) => (value ? 'yes' : '');
  const kept = modules.flatMap(({ name, records = [] }) => records.map((kind) => ({ ...kind.facts, kind, name })));
  const rows = kept
    .toSorted((a, b) => (a.kind.collection < b.kind.collection ? -1 : 1))
    .map(({ kind, name, holds, isExported, expires, goesWithUser }) => [
      `\`${kind.collection}\``,
      holds,
      name,
      is(isExported),
      is(expires),
      is(goesWithUser),
    ]);
  await expect(`${head}\n${tableOf(rows)}\n`).toMatchFileSnapshot('../../src/docs/records.md');
});
