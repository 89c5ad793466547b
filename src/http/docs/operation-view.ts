import type { Operation, ParameterInfo, ResponseInfo } from '../openapi/operation.ts';
import type { JsonSchema } from '../openapi/schema-components.ts';
import { html, inline, type Markup, prose } from './markup.ts';
import { exampleOf, type Resolve } from './schema-example.ts';
import { schemaView, typeText } from './schema-view.ts';

export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** One operation of the reference. */
export function operationView(
  { method, path, operation }: DescribedOperation,
  baseUrl: string,
  resolve: Resolve,
): Markup {
  const { summary, description, parameters = [], responses, requestBody } = operation;
  const [bodyType, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const good = Object.entries(responses).filter(([, response]) => response['x-codes'] === undefined);
  const bad = Object.entries(responses).filter(([, response]) => response['x-codes'] !== undefined);
  return html`<article id="${operation.operationId}" class="operation">
<h3><a href="#${operation.operationId}">${summary}</a>${operation.deprecated ? html` <span class="old">deprecated</span>` : undefined}</h3>
<p class="line"><span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${pathView(path)}</code></p>
<p class="access">${accessView(operation['x-access'])}</p>
${description === undefined ? undefined : prose(description)}
<div class="columns"><div>
${parametersView(parameters, resolve)}
${media === undefined ? undefined : html`<h4>Body <span class="type">${bodyType}</span></h4>${schemaView(media.schema, resolve)}`}
${good.map(([status, response]) => responseView(status, response, resolve))}
${bad.length === 0 ? undefined : html`<h4>Problems</h4><table class="problems"><tbody>${bad.flatMap(problemRows)}</tbody></table>`}
</div><div class="samples">
<pre><code>${curlOf(method, path, operation, baseUrl, media?.schema, resolve)}</code></pre>
${good.map(([status, response]) => sampleView(status, response, resolve))}
</div></div></article>`;
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
  return html`Needs the permission <code>${access.replace(/^permission /, '')}</code>.`;
}

function parametersView(parameters: readonly ParameterInfo[], resolve: Resolve): Markup | undefined {
  if (parameters.length === 0) return undefined;
  const rows = parameters.map(
    ({
      name,
      in: place,
      required,
      description,
      schema,
    }) => html`<dt><code>${name}</code> <span class="type">${typeText(schema, resolve)}, in the ${place}</span>${required ? html` <span class="required">required</span>` : undefined}</dt>
<dd>${description === undefined ? undefined : html`<p>${inline(description)}</p>`}</dd>`,
  );
  return html`<h4>Parameters</h4><dl class="members">${rows}</dl>`;
}

function responseView(status: string, response: ResponseInfo, resolve: Resolve): Markup {
  const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
  return html`<h4>Answer <span class="status good">${status}</span> <span class="type">${type}</span></h4>
<p>${inline(response.description)}</p>${media === undefined ? undefined : schemaView(media.schema, resolve)}`;
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
  return html`<pre><span class="status good">${status}</span><code>${example}</code></pre>`;
}

function curlOf(
  method: string,
  path: string,
  operation: Operation,
  baseUrl: string,
  schema: JsonSchema | undefined,
  resolve: Resolve,
): string {
  const lines = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${baseUrl}${path.replace('{orgId}', 'demo').replace('{tenant}', 'demo')}'`,
  ];
  if (operation.security.length > 0) lines.push(`-H "Authorization: Bearer $RELATA_KEY"`);
  const type = Object.keys(operation.requestBody?.content ?? {})[0];
  if (type !== undefined && schema !== undefined) {
    lines.push(`-H 'Content-Type: ${type}'`);
    if (type.endsWith('json'))
      lines.push(`-d '${JSON.stringify(exampleOf(schema, resolve)).replaceAll("'", "'\\''")}'`);
  }
  return lines.join(' \\\n  ');
}
