import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { variableOf } from '../../src/platform/config/environment.ts';
import { type Limits, settingsSchema } from '../../src/platform/config/settings.ts';

const columns = ['variable', 'default', 'meaning'];

const head = `# Limits

Each limit is a variable of the environment. Times end in \`_MS\` and are in milliseconds; sizes end in \`_BYTES\`. A value
that cannot be used stops the start with a message that names the variable.
`;

const file = JSON.parse(readFileSync('config/default.json', 'utf8')) as Readonly<Record<string, unknown>> & {
  readonly limits: Limits;
};
const { limits, ...others } = settingsSchema.shape;
const names = Object.keys(limits.shape) as (keyof Limits)[];

/** In the form that the formatter gives tables. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = columns.map((column, place) => Math.max(column.length, ...rows.map((row) => row[place]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join(' | ')} |`;
  return [line(columns), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}

test('the document of limits says what each variable means, and what holds without it', async () => {
  const rows = names.map((name) => [
    `\`${variableOf(['limits', name])}\``,
    String(file.limits[name]),
    limits.shape[name].description ?? '',
  ]);
  expect(rows.filter(([, , meaning]) => meaning === '')).toEqual([]);
  await expect(`${head}\n${tableOf(rows)}\n`).toMatchFileSnapshot('../../src/docs/limits.md');
});

test('the guide to settings names the variable of every other setting', () => {
  const guide = readFileSync('src/docs/guides/settings.md', 'utf8');
  const missing = Object.keys(others)
    .map((name) => variableOf([name]))
    .filter((variable) => !guide.includes(`| \`${variable}\``) && !guide.includes(`, \`${variable}\``));
  expect(missing).toEqual([]);
});

test('what stands in parentheses behind a variable is its default', () => {
  const values = new Map<string | undefined, unknown>(
    names.map((name) => [variableOf(['limits', name]), file.limits[name]]),
  );
  for (const name of Object.keys(others)) values.set(variableOf([name]), file[name]);
  const guides = readdirSync('src/docs/guides').map((guide) => `src/docs/guides/${guide}`);
  const found = ['README.md', 'compose.yaml', 'config/cluster/compose.yaml', ...guides].flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/(RELATA_\w+)`? \(([\d,]+)\)/g)].map(
      ([, variable = '', told = '']) => ({ document, variable, told: Number(told.replaceAll(',', '')) }),
    ),
  );
  expect(found.filter(({ variable, told }) => told !== values.get(variable))).toEqual([]);
  expect(found.length).toBeGreaterThan(3);
});

/** What a guide may say of a default. */
function wordsOf(value: unknown): readonly string[] {
  const isNothing = value === null || (Array.isArray(value) && value.length === 0);
  if (isNothing) return ['none', 'generated', 'from host and port', 'processor cores'];
  return [typeof value === 'boolean' ? String(Number(value)) : String(value)];
}

test.each(['settings', 'cluster'])('the guide %s names the defaults that hold', (guide) => {
  const text = readFileSync(`src/docs/guides/${guide}.md`, 'utf8');
  const settings = new Map(Object.keys(others).map((name) => [variableOf([name]), file[name]]));
  const wrong: string[] = [];
  const rows = [...text.matchAll(/^\| (`RELATA_[^|]*`) +\| ([^|]+?) +\|/gm)];
  for (const [, variables = '', told = ''] of rows) {
    const names = [...variables.matchAll(/`(RELATA_\w+)`/g)].map(([, name = '']) => name);
    const defaults = told.replaceAll('`', '').split(', ');
    for (const [place, name] of names.entries()) {
      const said = defaults[place] ?? defaults[0] ?? '';
      if (!wordsOf(settings.get(name)).includes(said)) wrong.push(`${name}: ${said}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(rows.length).toBeGreaterThan(10);
});
