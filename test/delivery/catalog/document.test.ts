import { expect, test } from 'vitest';
import {
  catalogViews,
  emittingBeside,
  emittingOperations,
  type SilentReason,
  silentOperations,
  silentReasons,
  subscribers,
} from '../../../src/delivery/catalog/index.ts';
import { catalogs, EventTypes } from '../../../src/kernel/events/index.ts';
import { eventsOf, modules } from '../../../src/server/modules.ts';

const types = new EventTypes(eventsOf(modules));
const code = (text: string) => `\`${text}\``;

/** In the form that the formatter gives tables. */
function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, place) => Math.max(column.length, ...rows.map((row) => row[place]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(columns), rule, ...rows.map(line)].join('\n');
}

/** An event in one catalog: its name, where it is not the one of the first column. */
function nameIn(type: (typeof types.all)[number], catalog: (typeof catalogs)[number]): string {
  const name = type.nameIn(catalog);
  return name === undefined ? '' : name === type.type ? 'yes' : code(name);
}

function document(): string {
  const events = types.all
    .map((type) => [code(type.type), ...catalogs.map((catalog) => nameIn(type, catalog))])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const causes = Object.entries({ ...emittingOperations, ...emittingBeside }).map(([operation, caused]) => [
    operation.includes(' /') ? code(operation) : operation,
    caused.map(code).join(', '),
  ]);
  const silent = Object.entries(silentOperations).flatMap(([reason, operations]) => [
    `**${silentReasons[reason as SilentReason]}**\n`,
    ...operations.map((operation) => `- ${code(operation)}`),
    '',
  ]);
  return `# Events, and what causes them

An event is recorded in the same commit as the change it describes, so there is never one without the other. Webhooks subscribe to
the names of one of three catalogs: a (${code(subscribers.a)}), b (${code(subscribers.b)}) and
c (${code(subscribers.c)}). \`GET .../admin/events/types\` lists each catalog, with the JSON Schema of a delivery's body and an
example. Operations are named without the prefix of their family of paths. \`/scim\` stands for the SCIM base URL of both; paths
outside \`/admin\`, \`/oauth\` and similar ones are pages for people.

## Events

The first column is the service's own name for the event, which the live stream uses, too.

${tableOf(['event', ...catalogs], events)}

## What causes them

Each operation can cause these events; which of them depends on what it changes.

${tableOf(['operation', 'events'], causes)}

\`relata import\` emits no events: it usually runs before an organization is used, and can write millions of tuples.

## What causes none

${silent.join('\n')}`;
}

test('the document of events says what the table and the catalogue say', async () => {
  for (const { types: named } of catalogViews(types)) expect(named.length).toBeGreaterThan(10);
  await expect(`${document().trimEnd()}\n`).toMatchFileSnapshot('../../../src/docs/events.md');
});
