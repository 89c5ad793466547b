import { type JsonSchema, mapValues } from './json-schema.ts';
import type { Operation, ParameterInfo } from './operation.ts';

/**
 * What is said about a field or parameter whose own schema says nothing: by its name, or by that of its schema and its
 * own (`Webhook.format`), or, for a parameter, that of its operation (`listTuples.object`). A name in braces is a
 * parameter of a path (`{userId}`), and a name alone with a capital is a schema. `client_id` has the words of `clientId`,
 * unless it has some of its own.
 */
export type FieldWords = Readonly<Record<string, string>>;

/** The same schemas with something said about each field. */
export function withDescribedFields(
  schemas: Readonly<Record<string, JsonSchema>>,
  words: FieldWords,
): Record<string, JsonSchema> {
  return mapValues(schemas, (schema, name) => {
    const said = schema.description ?? words[name];
    return { ...(said === undefined ? {} : { description: said }), ...describeMembers(schema, name, words) };
  });
}

/** The same operation with something said about each parameter, and each field of schemas that have no name. */
export function withDescribedParameters(operation: Operation, name: string, words: FieldWords): Operation {
  const { parameters, requestBody, responses } = operation;
  const described = describeMembers({ requestBody, responses } as unknown as JsonSchema, name, words);
  return {
    ...operation,
    ...(described as unknown as Pick<Operation, 'responses'>),
    ...(parameters && { parameters: parameters.map((parameter) => describeParameter(parameter, name, words)) }),
  };
}

function describeParameter(parameter: ParameterInfo, operation: string, words: FieldWords): ParameterInfo {
  const { name, in: location, description } = parameter;
  const ofPath = location === 'path' ? words[`{${name}}`] : undefined;
  const said = description ?? words[`${operation}.${name}`] ?? ofPath ?? wordsOf(name, words);
  return said === undefined ? parameter : { ...parameter, description: said };
}

function describeMembers(schema: JsonSchema, owner: string, words: FieldWords): JsonSchema {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    return typeof value === 'object' && value !== null ? describeMembers(value as JsonSchema, owner, words) : value;
  };
  return mapValues(schema, (value, keyword) => {
    if (keyword !== 'properties' || !isMembers(value)) return isData(keyword) ? value : visit(value);
    return mapValues(value, (member, name) => {
      const inner = visit(member) as JsonSchema;
      const said = inner.description ?? words[`${owner}.${name}`] ?? wordsOf(name, words);
      return said === undefined ? inner : { description: said, ...inner };
    });
  });
}

function wordsOf(name: string, words: FieldWords): string | undefined {
  return words[name] ?? words[name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
}

function isData(keyword: string): boolean {
  return ['examples', 'default', 'const', 'enum', 'x-codes'].includes(keyword);
}

/** A schema can have a field that is called `properties`. */
function isMembers(value: unknown): value is Readonly<Record<string, JsonSchema>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'object' && each !== null)
  );
}
