import { type JsonSchema, mapValues, membersOf, nameOf } from './json-schema.ts';
import type { Operation, ResponseInfo } from './operation.ts';
import { pascal, singular } from './operation-name.ts';
import type { SchemaNames } from './schema-names.ts';

/** Names of an operation, with its family's prefix and without. */
interface Named {
  /** `orgGetUser` */
  readonly id: string;
  /** `getUser` */
  readonly name: string;
}

/** What an operation does to something: `list`, of `Users`. */
function wordsOf({ id, name }: Named): { verb: string; object: string } {
  const [verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(name)?.slice(1) ?? [];
  return { verb, object: familyOf({ id, name }) + rest };
}

function familyOf({ id, name }: Named): string {
  return pascal(id.slice(0, id.length - name.length));
}

/** In which order operations name what they answer: what is shown alone, in the family without a prefix, has the plain name. */
export function namingOrder({ id, name }: Named): number {
  const byFamily = id === name ? 0 : 1;
  if (name.startsWith('get')) return byFamily;
  return byFamily + (name.startsWith('list') ? 2 : 4);
}

/** The same operation with names for its body, its answers and what is in their envelopes. */
export function withNamedSchemas(operation: Operation, named: Named, names: SchemaNames): Operation {
  const title = pascal(named.id);
  const { requestBody, responses } = operation;
  return {
    ...operation,
    ...(requestBody && {
      requestBody: { ...requestBody, ...mapContent(requestBody, (schema) => names.name(schema, `${title}Request`)) },
    }),
    responses: mapValues(responses, (response) =>
      response['x-codes'] === undefined ? namedResponse(response, named, names) : response,
    ),
  };
}

function namedResponse(response: ResponseInfo, named: Named, names: SchemaNames): ResponseInfo {
  const { verb, object } = wordsOf(named);
  const title = pascal(named.id);
  const isShown = verb === 'get' || verb === 'list';
  const itemNames = (isListed: boolean): string[] => {
    if (!isShown) return [verb === 'create' ? `Created${object}` : `${title}Result`];
    const item = isListed ? singular(object) : object;
    return [item, `${item}Summary`];
  };
  const nameEnvelope = (schema: JsonSchema): JsonSchema => {
    if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: (schema.anyOf as JsonSchema[]).map(nameEnvelope) };
    if (schema.type === 'array') return withNamedItem(schema, (each) => names.name(each, ...itemNames(true)));
    const kind = envelopeOf(schema);
    if (kind === undefined) return names.name(schema, verb === 'get' ? object : `${title}Response`);
    const inner = withNamedItem(schema, (each, isListed) => names.name(each, ...itemNames(isListed)));
    // what says in words what was made belongs to one operation
    if (membersOf(schema).message !== undefined) return names.name(inner, `${title}Response`);
    const whole = (itemName(inner) ?? title).replace(/Result$/, '');
    const family = familyOf(named);
    return names.name(inner, (new RegExp(`^${family}(?![a-z])`).test(whole) ? whole : family + whole) + kind);
  };
  return { ...response, ...mapContent(response, nameEnvelope) };
}

function mapContent<T extends Pick<ResponseInfo, 'content'>>(
  { content }: T,
  change: (schema: JsonSchema) => JsonSchema,
): Pick<T, 'content'> {
  if (content === undefined) return {} as Pick<T, 'content'>;
  return { content: mapValues(content, (media) => ({ ...media, schema: change(media.schema) })) };
}

/** What the name of an envelope ends with; `undefined` where the schema is none. */
function envelopeOf(schema: JsonSchema): string | undefined {
  const members = membersOf(schema);
  const { items, offset, data, meta, pagination } = members;
  if (items !== undefined && offset !== undefined) return 'OffsetPage';
  if (data === undefined || Object.keys(members).some((name) => !/^(?:data|meta|message|pagination)$/.test(name)))
    return undefined;
  return (meta ?? pagination) !== undefined || membersOf(data).meta !== undefined ? 'Page' : 'Response';
}

/** The envelope with what is in it made into something else. */
function withNamedItem(schema: JsonSchema, change: (item: JsonSchema, isListed: boolean) => JsonSchema): JsonSchema {
  if (schema.type === 'array') return { ...schema, items: change((schema.items ?? {}) as JsonSchema, true) };
  if (envelopeOf(schema) === undefined) return change(schema, false);
  const properties = mapValues(membersOf(schema), (member, name) =>
    name === 'data' || name === 'items' ? withNamedItem(member, change) : member,
  );
  return { ...schema, properties };
}

function itemName(schema: JsonSchema): string | undefined {
  if (nameOf(schema) !== undefined) return nameOf(schema);
  if (schema.type === 'array') return itemName((schema.items ?? {}) as JsonSchema);
  const { data, items } = membersOf(schema);
  const inner = data ?? items;
  return inner === undefined ? undefined : itemName(inner);
}
