import type { MediaInfo, Operation, ParameterInfo } from '../../openapi/operation.ts';
import { exampleOf, type Resolve } from './schema-example.ts';

/** Bodies that are longer are written over several lines. */
const lineMax = 60;

/** The request as a command: that of the example where there is one, else made of the schema. */
export function curlOf(
  { method, path, operation }: { readonly method: string; readonly path: string; readonly operation: Operation },
  baseUrl: string,
  resolve: Resolve,
): string {
  const { parameters = [], requestBody, security } = operation;
  const url = `${baseUrl}${pathOf(path, parameters)}${queryOf(parameters)}`;
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${url}'`];
  if (security.length > 0) lines.push('-H "Authorization: Bearer $KEY"');
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type !== undefined && media !== undefined) {
    lines.push(`-H 'Content-Type: ${type}'`);
    if (type.endsWith('json')) lines.push(`-d '${bodyOf(media, resolve).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}

/** What the example leaves open stays in its braces. */
function pathOf(path: string, parameters: readonly ParameterInfo[]): string {
  const known = parameters.filter((each) => each.in === 'path' && each.example !== undefined);
  const filled = known.reduce(
    (text, { name, example = '' }) => text.replace(`{${name}}`, encodeURIComponent(example).replaceAll('%40', '@')),
    path,
  );
  return filled.replace('{orgId}', 'demo').replace('{tenant}', 'demo');
}

function queryOf(parameters: readonly ParameterInfo[]): string {
  const known = parameters.filter((each) => each.in === 'query' && each.example !== undefined);
  const text = new URLSearchParams(known.map(({ name, example = '' }) => [name, example])).toString();
  return text === '' ? '' : `?${text}`;
}

function bodyOf({ schema, example }: MediaInfo, resolve: Resolve): string {
  const body = example ?? exampleOf(schema, resolve);
  const text = JSON.stringify(body);
  return text.length > lineMax ? JSON.stringify(body, null, 2) : text;
}
