/** CEL's unsigned 64-bit integer; a bigint is a signed one. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export const INT_MAX = 2n ** 63n - 1n;
export const INT_MIN = -(2n ** 63n);
export const UINT_MAX = 2n ** 64n - 1n;
