import type { Operation } from './operation.ts';

/** A request as a person would send it to the demonstration organization. A test sends each. */
export interface RequestExample {
  /** Parameters of the path. Ids that the service makes stay open. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** By the name of the operation without the prefix of a family, in an order in which they can be sent. */
export type RequestExamples = Readonly<Record<string, RequestExample>>;

/** The same operation with the values of the example in its parameters and its body. */
export function withExample(operation: Operation, example: RequestExample | undefined): Operation {
  if (example === undefined) return operation;
  const { parameters, requestBody } = operation;
  const known = { path: example.path ?? {}, query: example.query ?? {} };
  return {
    ...operation,
    ...(parameters && {
      parameters: parameters.map((parameter) => {
        const value = known[parameter.in][parameter.name];
        return value === undefined ? parameter : { ...parameter, example: value };
      }),
    }),
    ...(requestBody && example.body !== undefined
      ? { requestBody: { ...requestBody, content: withBody(requestBody.content, example.body) } }
      : {}),
  };
}

type Content = NonNullable<Operation['requestBody']>['content'];

/** The first type is the one of the example. */
function withBody(content: Content, body: unknown): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, media], index) => [type, index === 0 ? { ...media, example: body } : media]),
  );
}
