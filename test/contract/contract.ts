import { type Endpoint, openApiDocument, problem } from '../../src/http/index.ts';

/** What the endpoints say that they answer, as plain data: it goes to the processes of the tests. */
export interface Contract {
  readonly endpoints: readonly EndpointContract[];
  /** JSON Schemas that the others refer to as `#/components/schemas/NAME`. */
  readonly components: Readonly<Record<string, unknown>>;
}

export interface EndpointContract {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** By the status of what succeeds: the schema of its JSON, `null` where there is none. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** By the status of what fails: the codes as they are written. */
  readonly codes: Readonly<Record<string, readonly string[]>>;
}

/** Of all endpoints whose problems are JSON; those of pages are pages. */
export function contractOf(endpoints: readonly Endpoint[]): Contract {
  const programs = endpoints.filter((endpoint) => writtenCodes(endpoint) !== undefined);
  const api = { title: '', version: '', description: '', baseUrl: '', tags: [] };
  const document = openApiDocument(programs, api);
  return {
    components: document.components.schemas,
    endpoints: programs.map((endpoint) => {
      const { method, path, responses } = endpoint;
      const described = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
      const answers = [...responses.keys()].map((status) => {
        const { content } = described[String(status)] ?? {};
        const json = content?.['application/json'] ?? content?.['application/scim+json'];
        return [String(status), json?.schema ?? null];
      });
      return { method, path, answers: Object.fromEntries(answers), codes: writtenCodes(endpoint) ?? {} };
    }),
  };
}

/** The declared codes as this endpoint's renderer writes them, by status. `undefined` where it writes no JSON. */
function writtenCodes({ errors, renderer }: Endpoint): Record<string, readonly string[]> | undefined {
  const codes: Record<string, readonly string[]> = {};
  for (const kind of errors) {
    const body = String(renderer(problem(kind), '', () => '').body);
    if (!body.startsWith('{')) return undefined;
    const { code, error, scimType } = JSON.parse(body) as Readonly<Record<string, string | undefined>>;
    codes[kind.status] = [...new Set([...(codes[kind.status] ?? []), code ?? error ?? scimType ?? ''])];
  }
  return codes;
}
