import { readFile, stat } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { unusableFile } from '../file-problem.ts';

const FILE_BYTES_MAX = 256 * 2 ** 20;

const context = z.record(z.string(), z.unknown());
const tupleFields = {
  tuples: z.array(z.unknown()).nullish(),
  tuple_file: z.string().nullish(),
  tuple_files: z.array(z.string()).nullish(),
};
const oneOrMany = {
  user: z.string().optional(),
  users: z.array(z.string()).optional(),
  object: z.string().optional(),
  objects: z.array(z.string()).optional(),
};

const checkTest = z.strictObject({
  ...oneOrMany,
  context: context.nullish(),
  assertions: z.record(z.string(), z.boolean()),
});

const listObjectsTest = z.strictObject({
  user: z.string(),
  type: z.string(),
  context: context.nullish(),
  assertions: z.record(z.string(), z.array(z.string()).nullable()),
});

const listUsersTest = z.strictObject({
  object: z.string(),
  user_filter: z.array(z.strictObject({ type: z.string(), relation: z.string().optional() })).min(1),
  context: context.nullish(),
  assertions: z.record(z.string(), z.strictObject({ users: z.array(z.string()).nullable() })),
});

const testSchema = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  ...tupleFields,
  check: z.array(checkTest).nullish(),
  list_objects: z.array(listObjectsTest).nullish(),
  list_users: z.array(listUsersTest).nullish(),
});

/** A store file (openfga.dev, "Use the FGA CLI: store file"): a model, tuples and assertions in one YAML document. */
const storeFileSchema = z.strictObject({
  name: z.string().optional(),
  model: z.string().optional(),
  model_file: z.string().optional(),
  ...tupleFields,
  tests: z.array(testSchema).nullish(),
});

export type StoreFile = z.infer<typeof storeFileSchema>;
export type StoreFileTest = z.infer<typeof testSchema>;
export type CheckTest = z.infer<typeof checkTest>;
export type ListObjectsTest = z.infer<typeof listObjectsTest>;
export type ListUsersTest = z.infer<typeof listUsersTest>;

/** Throws `CliError` with the position of the first problem. */
export async function readStoreFile(path: string): Promise<StoreFile> {
  return parseStoreFile(await readText(path), path);
}

export function parseStoreFile(text: string, path: string): StoreFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw new CliError(`${path}:${line}:${col}: ${fault.message.split('\n')[0]}`);
  }
  const parsed = storeFileSchema.safeParse(contentOf(document, path));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = offsetOf(document, issue?.path ?? []);
  const { line, col } = lines.linePos(where);
  throw new CliError(`${path}:${line}:${col}: ${(issue?.path ?? []).map(String).join('.')}: ${issue?.message}`);
}

/** The text of a file that fits in memory. */
export async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > FILE_BYTES_MAX) throw new CliError(`${path} is larger than 256 MiB: use NDJSON or CSV for its tuples`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unusableFile(path, error);
  }
}

/** An alias bomb is refused by the library while it resolves the document. */
function contentOf(document: ReturnType<typeof parseDocument>, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new CliError(`${path}: ${(error as Error).message}`);
  }
}

/** The offset of the node at a path, or of the nearest one above it. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth >= 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true);
    const range = (node as { range?: readonly number[] } | undefined)?.range;
    if (range?.[0] !== undefined) return range[0];
  }
  return 0;
}
