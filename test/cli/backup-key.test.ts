import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { withEngine } from '../../src/cli/data-folder.ts';
import { masterKeyCheckId, masterKeyRecords, platformStore } from '../../src/kernel/organizations/index.ts';
import { createSealer, openWithPassphrase } from '../../src/platform/index.ts';
import { type CliInput, runCli } from './run-cli.ts';
import { scratchFolder } from './scratch-folder.ts';

const scratch = scratchFolder();
const masterKey = 'm'.repeat(48);
const phrase = 'correct horse battery staple';
const environment = { RELATA_BACKUP_PASSPHRASE: phrase };

/** Data as a server leaves it: with the check of the key, and the key beside it. */
async function fill(folder: string, key = masterKey): Promise<void> {
  await withEngine(folder, {}, async (engine) => {
    const store = await engine.createStore(platformStore);
    const { keyCheck } = createSealer(key);
    await engine.submit(engine.command([masterKeyRecords.put(store, masterKeyCheckId, { keyCheck })]));
  });
  writeFileSync(join(folder, 'master-key'), `${key}\n`);
}

let [data, copy, other] = ['', '', ''];
beforeEach(async () => {
  [data, copy, other] = [scratch.path('data'), scratch.path('copy'), scratch.path('other')];
  await fill(data);
});

const backUp = (given: CliInput = {}, ...options: string[]) =>
  runCli(['backup', copy, '--data', data, ...options], given);
const restore = (given: CliInput = {}, ...options: string[]) =>
  runCli(['restore', copy, '--data', other, ...options], given);

describe('a backup without the key', () => {
  it('says loudly that it is not there, and where it is', async () => {
    const { code, err } = await backUp();
    expect(code).toBe(0);
    expect(err).toContain('WARNING: THE MASTER KEY IS NOT IN THIS BACKUP');
    expect(err).toContain(join(data, 'master-key'));
    expect(
      (
        await runCli(['backup', scratch.path('more'), '--data', data], {
          environment: { RELATA_MASTER_KEY: masterKey },
        })
      ).err,
    ).toContain('Keep a copy of RELATA_MASTER_KEY');
    expect(readdirSync(copy)).toEqual(['data.mdb']);
  });

  it('is refused by a restore before anything is made', async () => {
    await backUp();
    const { code, err } = await restore();
    expect(code).toBe(2);
    expect(err).toContain('needs the master key that its data was made with, and there is none here');
    expect(err).toContain('--without-key');
    expect(existsSync(other)).toBe(false);
  });

  it('is refused where the key is another, and what is there stays', async () => {
    await backUp();
    await fill(other, 'n'.repeat(48));
    const before = readdirSync(other).toSorted();
    const { code, err } = await restore({}, '--force');
    expect([code, err]).toEqual([2, expect.stringContaining('the one here is another')]);
    expect(readdirSync(other).toSorted()).toEqual(before);
    expect(await restore({ environment: { RELATA_MASTER_KEY: 'n'.repeat(48) } }, '--force')).toMatchObject({ code: 2 });
  });

  it('is restored where the key is in the settings or in the folder, or was told to be missing', async () => {
    await backUp();
    expect(await restore({ environment: { RELATA_MASTER_KEY: masterKey } })).toMatchObject({ code: 0, err: '' });
    expect(existsSync(join(other, 'master-key'))).toBe(false);
    const without = await restore({}, '--without-key', '--force');
    expect([without.code, without.err]).toEqual([0, expect.stringContaining('cannot start with this data')]);
    writeFileSync(join(other, 'master-key'), masterKey);
    expect(await restore({}, '--force')).toMatchObject({ code: 0, err: '' });
  });
});

describe('a backup with the key', () => {
  it('has it sealed, in a file of its owner, and a restore puts it back', async () => {
    expect(await backUp({ environment }, '--with-key')).toMatchObject({ code: 0, err: '' });
    const file = join(copy, 'master-key.sealed');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({ version: 1, kdf: { name: 'scrypt' }, cipher: { name: 'aes-256-gcm' } });
    expect(openWithPassphrase(text, phrase)).toBe(masterKey);
    for (const each of readdirSync(copy)) expect(readFileSync(join(copy, each), 'latin1')).not.toContain(masterKey);
    expect(await restore({ environment })).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(other, 'master-key'), 'utf8').trim()).toBe(masterKey);
    expect(statSync(join(other, 'master-key')).mode & 0o777).toBe(0o600);
  });

  it('keeps a key of other data beside that data', async () => {
    await backUp({ environment }, '--with-key');
    await fill(other, 'n'.repeat(48));
    expect(await restore({ environment }, '--force')).toMatchObject({ code: 0 });
    expect(readFileSync(join(other, 'master-key'), 'utf8').trim()).toBe(masterKey);
    const kept = readdirSync(other).find((name) => name.startsWith('master-key.replaced-')) ?? '';
    expect(readFileSync(join(other, kept), 'utf8').trim()).toBe('n'.repeat(48));
  });

  it.each<{ name: string; given: CliInput; options?: string[]; expect: string }>([
    {
      name: 'with a wrong passphrase',
      given: { environment: { RELATA_BACKUP_PASSPHRASE: `${phrase}!` } },
      expect: 'master-key.sealed cannot be unlocked: the passphrase is wrong, or the file was changed',
    },
    { name: 'without one, where nobody can be asked', given: {}, expect: 'set RELATA_BACKUP_PASSPHRASE' },
    {
      name: 'with an empty variable, which is none',
      given: { environment: { RELATA_BACKUP_PASSPHRASE: '' } },
      expect: 'set RELATA_BACKUP_PASSPHRASE',
    },
    {
      name: 'with a file of it that is not there',
      given: {},
      options: ['--passphrase-file', 'none'],
      expect: 'none does not exist',
    },
  ])('is not restored $name, and nothing is made', async ({ given, options = [], expect: expected }) => {
    await backUp({ environment }, '--with-key');
    const { code, err } = await restore(given, ...options);
    expect([code, err]).toEqual([2, expect.stringContaining(expected)]);
    expect(existsSync(other)).toBe(false);
  });

  it.each<{ name: string; change: (text: string) => string; expect: string }>([
    { name: 'cut short', change: (text) => text.slice(0, 100), expect: 'it is damaged, or a later version' },
    {
      name: 'of a later version',
      change: (text) => text.replace('"version": 1', '"version": 2'),
      expect: 'a later version',
    },
    { name: 'whose cost was raised', change: (text) => text.replace('131072', '1073741824'), expect: 'it is damaged' },
    {
      name: 'whose cost was lowered',
      change: (text) => text.replace('131072', '16384'),
      expect: 'the passphrase is wrong, or',
    },
  ])('is not restored where its sealed key is one $name', async ({ change, expect: expected }) => {
    await backUp({ environment }, '--with-key');
    const file = join(copy, 'master-key.sealed');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    const { code, err } = await restore({ environment });
    expect([code, err]).toEqual([2, expect.stringContaining(expected)]);
    expect(existsSync(other)).toBe(false);
  });

  it('is not made with a short passphrase, or with the key of other data', async () => {
    const short = await backUp({ environment: { RELATA_BACKUP_PASSPHRASE: 'short' } }, '--with-key');
    expect([short.code, short.err]).toEqual([2, expect.stringContaining('12 to 1024 characters')]);
    const wrong = await backUp({ environment: { ...environment, RELATA_MASTER_KEY: 'n'.repeat(48) } }, '--with-key');
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('not the master key of the data')]);
    expect(existsSync(copy)).toBe(false);
  });
});
