import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Engine } from '../../../engine/engine.ts';

const MODEL = {
  dsl: `model
  schema 1.1
type user
type group
  relations
    define member: [user, group#member]
type doc
  relations
    define viewer: [user, group#member]
`,
};

describe('a cache with no room for the longest lists', () => {
  it.each([1, 1024, 64 * 1024, 512 * 1024])(
    'of %i bytes answers the same',
    { timeout: 180_000 },
    async (cacheBytes) => {
      const path = mkdtempSync(join(tmpdir(), 'relata-cache-'));
      const engine = await Engine.open({ path, cacheBytes });
      try {
        const store = await engine.createStore('s');
        await store.writeModel(MODEL);
        for (const size of [3, 30, 250, 300, 4000, 5000]) {
          const members = Array.from({ length: size }, (_, n) => ({
            object: `group:${size}`,
            relation: 'member',
            subject: n % 3 === 2 ? `group:${size}.${n}#member` : `user:${size}.${n}`,
          }));
          const inside = { object: `group:${size}.2`, relation: 'member', subject: 'user:inside' };
          const viewer = { object: 'doc:all', relation: 'viewer', subject: `group:${size}#member` };
          const mine = Array.from({ length: size }, (_, n) => ({
            object: `doc:${size}.${n}`,
            relation: 'viewer',
            subject: `user:of${size}`,
          }));
          await store.write({ writes: [...members, inside, viewer, ...mine] });
          const is = (object: string, relation: string, subject: string) =>
            store.check({ object, relation, subject }).outcome;
          expect(is(`group:${size}`, 'member', `user:${size}.1`)).toBe('allowed');
          expect(is(`group:${size}`, 'member', 'user:inside')).toBe('allowed');
          expect(is(`group:${size}`, 'member', `user:${size}.2`)).toBe('denied');
          expect(is('doc:all', 'viewer', 'user:inside')).toBe('allowed');
          expect(is('doc:all', 'viewer', `user:of${size}`)).toBe('denied');
          const listed = store.listObjects({
            type: 'doc',
            relation: 'viewer',
            subject: `user:of${size}`,
            limit: 10_000,
          });
          expect(listed.items).toHaveLength(size);
        }
      } finally {
        await engine.close();
        rmSync(path, { recursive: true, force: true });
      }
    },
  );
});
