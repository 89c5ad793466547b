import { Fault, type FoldKind, type SyntaxNode } from './syntax.ts';

interface Written {
  readonly name: string;
  readonly target: SyntaxNode | undefined;
  readonly args: readonly SyntaxNode[];
  readonly start: number;
}

const FOLDS: Readonly<Record<string, FoldKind>> = {
  all: 'all',
  exists: 'exists',
  exists_one: 'exists_one',
  existsOne: 'exists_one',
  filter: 'filter',
  map: 'map',
};

/** What a call that is a macro stands for; undefined for any other call. */
export function expandMacro({ name, target, args, start }: Written): SyntaxNode | undefined {
  if (target === undefined) return name === 'has' && args.length === 1 ? presence(args[0] as SyntaxNode) : undefined;
  const kind = Object.hasOwn(FOLDS, name) ? FOLDS[name] : undefined;
  if (kind === undefined || (args.length !== 2 && !(kind === 'map' && args.length === 3))) return undefined;
  const [variable, condition, body] = args.length === 3 ? args : [args[0], undefined, args[1]];
  if (variable?.op !== 'identifier' || body === undefined) {
    throw new Fault(`the first argument of ${name}() must be a name`, variable?.start ?? start);
  }
  return { op: 'fold', kind, range: target, variable: variable.name, condition, body, start };
}

function presence(field: SyntaxNode): SyntaxNode {
  if (field.op === 'select') return { ...field, op: 'has' };
  throw new Fault('has() takes a field such as `subject.team`', field.start);
}
