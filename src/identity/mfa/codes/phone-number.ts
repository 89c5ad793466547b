/** A telephone number as people write it, in the form of E.164; `undefined` where it is none with a country's prefix. */
export function phoneNumber(typed: string): string | undefined {
  if (typed.length > 50) return undefined;
  const plain = typed.replace(/[\s()./-]+/g, '').replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(plain) ? plain : undefined;
}
