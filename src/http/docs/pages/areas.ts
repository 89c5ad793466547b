import type { OpenApiDocument, TagInfo } from '../../openapi/openapi.ts';
import type { DescribedOperation, OperationEntry } from './operation-view.ts';

/** What one page of the reference is about. */
export interface Area {
  readonly tag: TagInfo;
  readonly url: string;
  readonly entries: readonly OperationEntry[];
}

/** The areas that have operations, each operation once with its forms in all families. */
export function areasOf(document: OpenApiDocument): Area[] {
  const operations = operationsOf(document);
  return document.tags.flatMap((tag) => {
    const own = operations.filter(({ operation }) => operation.tags[0] === tag.name);
    const byName = grouped(own);
    const entries = [...byName.values()].map(entryOf);
    return entries.length === 0 ? [] : [{ tag, url: `/docs/reference/${slugOf(tag.name)}`, entries }];
  });
}

/** The form in the family without a prefix is the first. */
function entryOf(forms: readonly DescribedOperation[]): OperationEntry {
  const [first, ...others] = forms.toSorted((left, right) => prefixLength(left) - prefixLength(right));
  if (first === undefined) throw new RangeError('an operation without a form');
  return { id: first.operation.operationId, forms: [first, ...others] };
}

function nameOf({ operation }: DescribedOperation): string {
  return operation['x-name'] ?? operation.operationId;
}

function prefixLength({ operation }: DescribedOperation): number {
  return operation.operationId.length - (operation['x-name'] ?? operation.operationId).length;
}

function grouped(operations: readonly DescribedOperation[]): Map<string, DescribedOperation[]> {
  const groups = new Map<string, DescribedOperation[]>();
  for (const each of operations) groups.set(nameOf(each), [...(groups.get(nameOf(each)) ?? []), each]);
  return groups;
}

function operationsOf(document: OpenApiDocument): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
}

export function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
