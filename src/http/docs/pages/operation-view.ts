import type { JsonSchema } from '../../openapi/json-schema.ts';
import type { Operation, ParameterInfo, ResponseInfo } from '../../openapi/operation.ts';
import { html, inline, type Markup, prose } from '../markup.ts';
import { curlOf } from './curl.ts';
import { exampleOf, type Resolve } from './schema-example.ts';
import { schemaView, typeTag } from './schema-view.ts';

export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** One operation of the reference: once, with its path in every family. */
export interface OperationEntry {
  /** As the first of them is called. */
  readonly id: string;
  readonly forms: readonly [DescribedOperation, ...DescribedOperation[]];
}

/** Each page says once, above, what stands in place of the organization. */
const organizationParameters = new Set(['tenant', 'orgId']);

export function operationView({ id, forms }: OperationEntry, baseUrl: string, resolve: Resolve): Markup {
  const [first, ...others] = forms;
  const { operation } = first;
  const { summary, description, parameters = [], responses, requestBody } = operation;
  const [bodyType, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const good = Object.entries(responses).filter(([, response]) => response['x-codes'] === undefined);
  const bad = Object.entries(responses).filter(([, response]) => response['x-codes'] !== undefined);
  const own = parameters.filter(({ name }) => !organizationParameters.has(name));
  return html`<section id="${id}" class="operation">
<h2><a href="#${id}">${summary}</a>${operation.deprecated ? html` <span class="old">deprecated</span>` : undefined}</h2>
${forms.map((form) => html`<p class="line"><span class="method ${form.method}">${form.method.toUpperCase()}</span> <code class="path">${pathView(form.path)}</code></p>`)}
<p class="access">${namesView(forms)} ${accessView(operation['x-access'])}</p>
${description === undefined ? undefined : prose(description)}
<div class="columns"><div>
${parametersView(own, resolve)}
${media === undefined ? undefined : html`<h3>Body <span class="type">${bodyType}</span></h3>${bodyView(media.schema, others, resolve)}`}
${good.map(([status, response]) => responseView(status, response, first, others, resolve))}
${bad.length === 0 ? undefined : html`<details><summary>Errors</summary><div class="scroll"><table><tbody>${bad.flatMap(problemRows)}</tbody></table></div></details>`}
</div><div class="samples">
<pre tabindex="0"><code>${curlOf(first, baseUrl, resolve)}</code></pre>
${good.map(([status, response]) => sampleView(status, response, resolve))}
</div></div></section>`;
}

function namesView(forms: readonly DescribedOperation[]): Markup {
  const names = forms.map(
    ({ operation }, index) => html`${index === 0 ? '' : ', '}<code>${operation.operationId}</code>`,
  );
  return html`${names}.`;
}

function pathView(path: string): Markup {
  const pieces = path
    .split(/(\{[^}]+\})/)
    .map((piece) => (piece.startsWith('{') ? html`<i>${piece}</i>` : html`${piece}`));
  return html`${pieces}`;
}

function accessView(access: string): Markup {
  if (access === 'public') return html`Needs no credential.`;
  if (access === 'authenticated') return html`Needs a valid credential of the organization.`;
  if (access === 'platform') return html`Needs the platform key.`;
  if (access.startsWith('scope ')) {
    return html`Needs a credential that was made for <code>${access.replace(/^scope /, '')}</code>, and no other.`;
  }
  if (access.startsWith('resource ')) {
    return html`Needs a valid credential of the organization, or a token made for <code>${access.replace(/^resource /, '')}</code>.`;
  }
  return html`Needs the permission <code>${access.replace(/^permission /, '')}</code>.`;
}

function parametersView(parameters: readonly ParameterInfo[], resolve: Resolve): Markup | undefined {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map(
    ({ name, in: location, required, description, schema }) =>
      html`<dt><code>${name}</code> ${typeTag(schema, resolve)}<span class="type">, in the ${location}</span>${required ? html` <span class="required">required</span>` : undefined}</dt>
<dd>${description === undefined ? undefined : html`<p>${inline(description)}</p>`}</dd>`,
  );
  return html`<h3>Parameters</h3><dl class="members">${rows}</dl>`;
}

function bodyView(schema: JsonSchema, others: readonly DescribedOperation[], resolve: Resolve): Markup {
  const different = others.flatMap(({ path, operation }) => {
    const other = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
    return other === undefined || isSame(other, schema) ? [] : [otherView(path, other, resolve)];
  });
  return html`${schemaView(resolve(schema), resolve)}${different}`;
}

/** What another family has instead. */
function otherView(path: string, schema: JsonSchema, resolve: Resolve): Markup {
  const [, family = ''] = path.split('/');
  return html`<p class="note">Below <code>/${family}</code>: ${typeTag(schema, resolve)}</p>`;
}

function responseView(
  status: string,
  response: ResponseInfo,
  { path }: DescribedOperation,
  others: readonly DescribedOperation[],
  resolve: Resolve,
): Markup {
  const contents = Object.entries(response.content ?? {});
  const different = others.flatMap(({ path: otherPath, operation }) => {
    const other = Object.values(operation.responses[status]?.content ?? {})[0]?.schema;
    const schema = contents[0]?.[1].schema;
    return other === undefined || schema === undefined || isSame(other, schema)
      ? []
      : [otherView(otherPath, other, resolve)];
  });
  const shown = contents.map(
    ([type, media]) =>
      html`<p class="note">${type}: ${typeTag(media.schema, resolve)}${different.length === 0 ? undefined : html`, below <code>/${path.split('/')[1]}</code>`}</p>`,
  );
  return html`<h3>Answer <span class="status good">${status}</span></h3><p>${inline(response.description)}</p>${shown}${different}`;
}

function isSame(left: JsonSchema, right: JsonSchema): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function problemRows([status, response]: readonly [string, ResponseInfo]): Markup[] {
  return (response['x-codes'] ?? []).map(
    ({ code, title }) =>
      html`<tr><td><span class="status bad">${status}</span></td><td><code>${code}</code></td><td>${title}</td></tr>`,
  );
}

function sampleView(status: string, response: ResponseInfo, resolve: Resolve): Markup | undefined {
  const schema = response.content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const example = JSON.stringify(exampleOf(schema, resolve), undefined, 2);
  return html`<pre tabindex="0"><span class="status good">${status}</span><code>${example}</code></pre>`;
}
