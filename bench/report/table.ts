import { type Line, ratioOf, type Target, verdictOf } from './line.ts';

interface Column {
  readonly head: string;
  readonly isNumber: boolean;
  cell(line: Line): string;
}

const COLUMNS: readonly Column[] = [
  { head: 'name', isNumber: false, cell: (line) => line.name },
  { head: 'value', isNumber: true, cell: (line) => formatNumber(line.value) },
  { head: 'unit', isNumber: false, cell: (line) => line.unit },
  { head: 'baseline', isNumber: true, cell: (line) => formatBaseline(line) },
  { head: 'ratio', isNumber: true, cell: (line) => formatRatio(ratioOf(line)) },
  { head: 'target', isNumber: true, cell: (line) => formatTarget(line.target) },
  { head: 'verdict', isNumber: false, cell: (line) => verdictOf(line) || '-' },
];

/** The lines below their heads, in columns as wide as they need to be; one column more for each peer that answered. */
export function formatTable(lines: readonly Line[]): string {
  const peers = [...new Set(lines.flatMap((line) => Object.keys(line.peers ?? {})))].sort();
  const columns = [
    ...COLUMNS,
    ...peers.map((peer): Column => ({ head: peer, isNumber: true, cell: (line) => formatPeer(line, peer) })),
  ];
  const rows = [columns.map(({ head }) => head), ...lines.map((line) => columns.map(({ cell }) => cell(line)))];
  const widths = columns.map((_, place) => Math.max(...rows.map((row) => (row[place] as string).length)));
  const shown = rows.map((row) =>
    row
      .map((cell, place) => {
        const width = widths[place] as number;
        return columns[place]?.isNumber ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  shown.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  const voided = lines.flatMap(({ name, isVoid }) => (isVoid === undefined ? [] : [`void: ${name}: ${isVoid}`]));
  return [...shown, ...voided].join('\n');
}

/** Three digits that mean something; thousands apart. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '?';
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

export function formatBaseline({ baseline }: Line): string {
  return baseline === undefined ? '-' : `${baseline.name} ${formatNumber(baseline.value)}`;
}

export function formatRatio(ratio: number | undefined): string {
  return ratio === undefined ? '-' : `${formatNumber(ratio)}x`;
}

export function formatTarget(target: Target | undefined): string {
  if (target === undefined) return '-';
  return `${target.bound === 'at least' ? '>=' : '<='} ${formatNumber(target.limit)}${target.of === 'ratio' ? 'x' : ''}`;
}

function formatPeer({ peers }: Line, peer: string): string {
  const value = peers?.[peer];
  return value === undefined ? '-' : formatNumber(value);
}
