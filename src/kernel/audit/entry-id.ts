/** Ids of entries are UUIDs of version 7, which begin with their time (RFC 9562, 5.7): its milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Where the ids of a millisecond begin. */
export function idFloor(time: number): string {
  const hex = Math.max(0, Math.min(time, 2 ** 48 - 1))
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
