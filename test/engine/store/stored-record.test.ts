import { expect, test } from 'vitest';
import { EngineError } from '../../../engine/index.ts';
import { recordKey } from '../../../engine/store/layout.ts';
import { recordOf, versionOf } from '../../../engine/store/records/stored-record.ts';

const key = recordKey(7, 'users', 'anne');

test.each([
  { name: 'JSON that ends too early', bytes: '{"version":1,"document":{"password":"hunter2"', read: recordOf },
  { name: 'JSON with a stray character', bytes: '{"version":1,"document":hunter2}', read: recordOf },
  { name: 'no msgpack', bytes: '\xc1hunter2', read: recordOf },
  { name: 'no msgpack, of which the version is asked', bytes: '\xc1hunter2', read: versionOf },
])('a record that is $name is named, and nothing of it is told', ({ bytes, read }) => {
  try {
    read(Buffer.from(bytes, 'latin1'), key);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError);
    const { code, message, details, cause, stack } = error as EngineError;
    expect({ code, message }).toEqual({ code: 'corrupt', message: 'record users/anne of store 7 cannot be read' });
    expect(JSON.stringify([message, details, String(cause), stack])).not.toContain('hunter');
  }
});
