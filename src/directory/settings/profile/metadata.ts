import { z } from 'zod';

const BYTES_MAX = 16 * 1024;
const DEPTH_MAX = 8;
const NAME_LENGTH_MAX = 128;

/** What administrators keep with an organization: any JSON object within bounds. */
export type Metadata = Readonly<Record<string, unknown>>;

export const metadataSchema: z.ZodType<Metadata> = z
  .record(z.string().min(1).max(NAME_LENGTH_MAX), z.unknown())
  .superRefine((value, context) => {
    const message = metadataFault(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

export function metadataFault(value: Metadata): string | undefined {
  // the size first, so that the walk is short
  if (Buffer.byteLength(JSON.stringify(value)) > BYTES_MAX) return `must not be over ${BYTES_MAX} bytes of JSON`;
  if (depthOf(value) > DEPTH_MAX) return `must not be nested deeper than ${DEPTH_MAX} levels`;
  return undefined;
}

/** A merge patch (RFC 7396): null removes, objects merge, all else replaces. */
export function mergeMetadata(before: Metadata, patch: Metadata): Metadata {
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete after[name];
    else if (!isObject(value)) after[name] = value;
    else {
      const own = Object.hasOwn(after, name) ? after[name] : undefined;
      after[name] = mergeMetadata(isObject(own) ? own : {}, value);
    }
  }
  return after;
}

function isObject(value: unknown): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
