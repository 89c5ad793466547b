/** What the tests need of an OpenAPI document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  /** `GET /admin/users`, whatever the family; with its family before it where only one has it in this form. */
  readonly name: string;
  /** `public`, `authenticated`, `platform`, `scope NAME` or `permission NAME`. */
  readonly access: string;
  /** Whether it speaks SCIM: in its media type, and in its form of errors. */
  readonly isScim: boolean;
  readonly hasQuery: boolean;
  /** Media types of the body. */
  readonly accepts: readonly string[];
  readonly bodySchema: Schema | undefined;
  readonly isBodyRequired: boolean;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Schema }>> }>>;
}

export type Schema = Readonly<Record<string, unknown>>;

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface RawOperation {
  readonly 'x-access': string;
  readonly parameters?: readonly { readonly in: string }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { schema: Schema }>> };
  readonly responses: Operation['responses'];
}

/** What paths begin with in each family, and what their names have in its place. */
const bases: readonly (readonly [base: string, named: string])[] = [
  ['/t/{tenant}/api/v1', ''],
  ['/orgs/{orgId}/api/v1', ''],
  ['/t/{tenant}/scim/v2', '/scim'],
  ['/orgs/{orgId}/scim2.0', '/scim'],
];

export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const [base, named] = bases.find(([each]) => path.startsWith(each)) ?? ['', ''];
      const content = operation.requestBody?.content ?? {};
      return {
        method: method.toUpperCase(),
        path,
        name: `${method.toUpperCase()} ${named}${path.slice(base.length)}`,
        access: operation['x-access'],
        isScim: named === '/scim',
        hasQuery: operation.parameters?.some((parameter) => parameter.in === 'query') ?? false,
        accepts: Object.keys(content),
        bodySchema: Object.values(content)[0]?.schema,
        isBodyRequired: operation.requestBody?.required ?? false,
        responses: operation.responses,
      };
    }),
  );
}
