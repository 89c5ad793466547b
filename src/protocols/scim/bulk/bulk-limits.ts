/** Bounds of a bulk request, as the service tells them (RFC 7643, 5; RFC 7644, 3.7.4). */
export const bulkLimits = {
  /** Most operations. */
  maxOperations: 1000,
  /** Most bytes of the body. */
  maxPayloadSize: 1_048_576,
} as const;

/** Most characters of the parts of an operation beside its data. */
export const partsMax = { bulkId: 256, path: 1024, version: 256 } as const;
