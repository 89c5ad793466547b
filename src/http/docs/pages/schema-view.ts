import { choicesOf, type JsonSchema, membersOf, nameOf, requiredOf } from '../../openapi/json-schema.ts';
import { html, inline, type Markup } from '../markup.ts';
import { itemsOf, type Resolve } from './schema-example.ts';

const depthMax = 5;

/** A schema as a list of its members, nested ones folded. */
export function schemaView(schema: JsonSchema, resolve: Resolve, depth = 0): Markup {
  if (nameOf(schema) !== undefined) return html`<p class="note">${typeTag(schema, resolve)}</p>`;
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    const items = choices.map(
      (choice) => html`<li>${typeTag(choice, resolve)}${foldedView(choice, resolve, depth + 1)}</li>`,
    );
    return html`<p class="note">One of</p><ul class="choices">${items}</ul>`;
  }
  if (schema.type === 'array') {
    const items = itemsOf(schema);
    return html`<p class="note">A list of ${typeTag(items, resolve)}</p>${foldedView(items, resolve, depth + 1)}`;
  }
  const properties = Object.entries(membersOf(schema));
  if (properties.length === 0) return html`<p class="note">${typeTag(schema, resolve)}</p>`;
  const required = requiredOf(schema);
  const rows = properties.map(([name, property]) => memberView(name, property, required.has(name), resolve, depth));
  return html`<dl class="members">${rows}</dl>`;
}

function memberView(name: string, schema: JsonSchema, required: boolean, resolve: Resolve, depth: number): Markup {
  const description = schema.description ?? resolve(schema).description;
  return html`<dt><code>${name}</code> ${typeTag(schema, resolve)}${required ? html` <span class="required">required</span>` : undefined}</dt>
<dd>${typeof description === 'string' ? html`<p>${inline(description)}</p>` : undefined}${bounds(resolve(schema))}${foldedView(schema, resolve, depth + 1)}</dd>`;
}

/** What is inside an object, a list of objects, or a choice; nothing for plain values, and for types of their own. */
function foldedView(schema: JsonSchema, resolve: Resolve, depth: number): Markup | undefined {
  const inner = schema.type === 'array' ? itemsOf(schema) : schema;
  const nested = inner.properties !== undefined || choicesOf(inner)?.some((choice) => choice.properties !== undefined);
  if (!nested || depth > depthMax) return undefined;
  return html`<details><summary>Fields</summary>${schemaView(inner, resolve, depth)}</details>`;
}

/** `string`, `list of Tuple`, `"a" | "b"`, `string or null`; types of their own lead to where they are described. */
export function typeTag(schema: JsonSchema, resolve: Resolve): Markup {
  return html`<span class="type">${typeMarkup(schema, resolve)}</span>`;
}

function typeMarkup(schema: JsonSchema, resolve: Resolve): Markup {
  const name = nameOf(schema);
  if (name !== undefined) return html`<a href="#type-${name}">${name}</a>`;
  const choices = choicesOf(schema);
  if (choices?.some((choice) => nameOf(choice) !== undefined || choice.type === 'array')) {
    return html`${choices.map((choice, index) => html`${index === 0 ? '' : ' or '}${typeMarkup(choice, resolve)}`)}`;
  }
  if (schema.type === 'array') return html`list of ${typeMarkup(itemsOf(schema), resolve)}`;
  return html`${typeText(schema, resolve)}`;
}

function typeText(schema: JsonSchema, resolve: Resolve): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    const texts = [...new Set(choices.map((choice) => typeText(choice, resolve)))];
    // an empty text says the least
    return texts.toSorted((left, right) => Number(left === '""') - Number(right === '""')).join(' or ');
  }
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.type === 'array') return `list of ${typeText(itemsOf(schema), resolve)}`;
  if (typeof schema.format === 'string') return `${String(schema.type)}, ${schema.format}`;
  return Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any');
}

const boundNames: readonly (readonly [keyword: string, text: string])[] = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'characters at least'],
  ['maxLength', 'characters at most'],
  ['minItems', 'entries at least'],
  ['maxItems', 'entries at most'],
  ['default', 'default'],
];

function bounds(schema: JsonSchema): Markup | undefined {
  const integerLimit = Number.MAX_SAFE_INTEGER;
  const texts = boundNames
    .filter(([keyword]) => schema[keyword] !== undefined && Math.abs(Number(schema[keyword])) !== integerLimit)
    .map(([keyword, text]) => `${text} ${JSON.stringify(schema[keyword])}`);
  return texts.length === 0 ? undefined : html`<p class="note">${texts.join(', ')}</p>`;
}
