import type { Sent } from '../patching.ts';

/** What changes of Barbara. `{}`: nothing. */
export type Case = readonly [name: string, operations: readonly Sent[], changes: Readonly<Record<string, unknown>>];

export const work = { value: 'Bjensen@example.com', type: 'work', primary: true };
export const home = { value: 'babs@home.example', type: 'home', display: 'at home' };
export const other = { value: 'other@example.com', type: 'other' };
export const office = { type: 'work', locality: 'Hollywood', country: 'US', formatted: '100 Plaza\nHollywood' };
export const names = { formatted: 'Ms. Barbara Jensen', familyName: 'Jensen', givenName: 'Barbara' };
export const job = { employeeNumber: '701984', department: 'Tours', manager: { value: 'K1', displayName: 'Kim' } };
