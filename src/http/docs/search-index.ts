import { type JsonSchema, membersOf, nameOf } from '../openapi/json-schema.ts';
import type { OpenApiDocument } from '../openapi/openapi.ts';
import type { GuideDocument } from './guides/documents.ts';
import type { Area } from './pages/areas.ts';
import type { OperationEntry } from './pages/operation-view.ts';

/** One result that a search can find. */
export interface SearchEntry {
  readonly url: string;
  readonly title: string;
  /** Names of the operation, apart by blanks. */
  readonly names: string;
  /** Its paths without the organization, apart by blanks; where it is a guide, what it is. */
  readonly path: string;
  readonly method?: string;
  /** Fields of its parameters, bodies and answers; words of a guide. */
  readonly fields: string;
}

const WORDS_MAX = 400;

/** What the script of the search loads at its first use. */
export function searchIndex(
  areas: readonly Area[],
  documents: readonly GuideDocument[],
  document: OpenApiDocument,
): SearchEntry[] {
  const { schemas } = document.components;
  const operations = areas.flatMap(({ url, entries }) => entries.map((entry) => operationEntry(url, entry, schemas)));
  return [...operations, ...documents.map(documentEntry)];
}

function operationEntry(
  url: string,
  { id, forms }: OperationEntry,
  schemas: Readonly<Record<string, JsonSchema>>,
): SearchEntry {
  const [first] = forms;
  const fields = forms.flatMap(({ operation: { parameters = [], requestBody, responses } }) => [
    ...parameters.map(({ name }) => name),
    ...fieldsOf({ requestBody, responses }, schemas),
  ]);
  return {
    url: `${url}#${id}`,
    title: first.operation.summary,
    names: forms.map(({ operation }) => operation.operationId).join(' '),
    path: [...new Set(forms.map(({ path }) => path.replace(/\/(?:t|orgs)\/\{[^}]+\}/, '')))].join(' '),
    method: first.method.toUpperCase(),
    fields: [...new Set(fields)].join(' '),
  };
}

function documentEntry({ url, title, text, path }: GuideDocument): SearchEntry {
  const words = text.toLowerCase().match(/[a-z_]{4,}/g) ?? [];
  const fields = [...new Set(words)].slice(0, WORDS_MAX).join(' ');
  return { url, title, names: '', path: path.startsWith('guides/') ? 'Guide' : 'Document', fields };
}

/** Names of all fields of what is said and answered, also inside of each other; not those of problems. */
function fieldsOf(value: unknown, schemas: Readonly<Record<string, JsonSchema>>): Set<string> {
  const fields = new Set<string>();
  const seen = new Set<string>();
  const visit = (each: unknown): void => {
    if (Array.isArray(each)) each.forEach(visit);
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return;
    const name = nameOf(each as JsonSchema);
    if (name !== undefined) {
      if (seen.has(name) || name === 'Problem') return;
      seen.add(name);
      visit(schemas[name]);
    }
    for (const field of Object.keys(membersOf(each as JsonSchema))) fields.add(field);
    for (const [keyword, inner] of Object.entries(each)) if (keyword !== 'examples') visit(inner);
  };
  visit(value);
  return fields;
}
