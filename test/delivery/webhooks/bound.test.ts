import { expect, test } from 'vitest';
import { scene } from '../../security/organizations.ts';
import { forms, InForm } from './in-form.ts';

const on = scene();
const MAX = 1000;

test('an organization has a thousand webhooks and no more, of all forms together, however many are made at once', async () => {
  const make = async (place: number): Promise<number> => {
    const form = forms[place % forms.length] ?? forms[0];
    const body = { url: `https://receiver.example/${place}`, events: ['*'] };
    return (await new InForm(on.org, form).call('POST', '', body)).status;
  };
  const makeAll = async (from: number, to: number, atOnce: number): Promise<number[]> => {
    let next = from;
    const statuses: number[] = [];
    const worker = async () => {
      while (next < to) statuses.push(await make(next++));
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    return statuses;
  };
  expect(new Set(await makeAll(0, MAX - 5, 1))).toEqual(new Set([201]));
  const last = await makeAll(MAX - 5, MAX + 15, 20);
  expect(last.filter((status) => status === 201)).toHaveLength(5);
  expect(last.filter((status) => status === 422)).toHaveLength(15);
  const lists = await Promise.all(forms.map((form) => new InForm(on.org, form).call('GET', '?offset=0&limit=1')));
  expect(lists.reduce((sum, answer) => sum + Number(answer.at('total')), 0)).toBe(MAX);
  const [first = forms[0]] = forms;
  const admin = new InForm(on.org, first);
  const { id } = (await admin.call('GET', '?offset=0&limit=1')).at('items.0') as { id: string };
  expect((await admin.call('DELETE', `/${id}`)).status).toBe(204);
  expect([await make(0), await make(0)]).toEqual([201, 422]);
}, 120_000);
