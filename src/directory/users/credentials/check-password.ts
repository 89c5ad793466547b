import type { Engine } from '#engine';
import type { Organization } from '../../../kernel/organizations/index.ts';
import { credentialRecords } from './credentials.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** Of a random text that nobody has kept, by the parameters of every other one. */
const decoy = '$argon2id$v=19$m=19456,t=2,p=1$Ev//LwsEUY7ktbSWOq5NhA$HG31F1NaxBDRQVdJN3sJHomt3OS1TNGzwGLIONy8p4o';

/** Whether this is the user's password. It takes as long where there is no such user, or none with a password. */
export async function checkPassword(
  { engine, hasher }: { readonly engine: Engine; readonly hasher: PasswordHasher },
  { store }: Organization,
  userId: string | undefined,
  password: string,
): Promise<boolean> {
  const hash = engine.read(() =>
    userId === undefined ? undefined : credentialRecords.get(store, userId)?.document.hash,
  );
  const isRight = await hasher.verify(hash ?? decoy, password);
  return hash !== undefined && isRight;
}
