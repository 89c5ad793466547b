import { userRecords } from '../../../directory/records/index.ts';
import { readSettings } from '../../../directory/settings/index.ts';
import { aboutUser, changeUser, factorRecords, userMfaDisabled } from '../../../directory/users/index.ts';
import type { RequestFacts } from '../../../kernel/audit/index.ts';
import { notFound, refused } from '../../../kernel/transactions/index.ts';
import { said } from '../../../texts/index.ts';
import { type MfaDependencies, transactByUser, type Whose } from '../dependencies.ts';
import { allowedFactors } from '../records/methods.ts';
import { nameOf } from './add-factor.ts';
import { tell } from './notices.ts';

type Owner = Omit<Whose, 'binding'>;

/** What users do with the factors that they have. */
export class OwnFactors {
  readonly #dependencies: MfaDependencies;

  constructor(dependencies: MfaDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws ProblemError 404 */
  rename(owner: Owner, factorId: string, name: string, facts: RequestFacts): Promise<void> {
    const { userId } = owner;
    return transactByUser(this.#dependencies, owner, facts, (transaction) => {
      const entry = transaction.get(factorRecords, userId);
      const factor = entry?.document.factors.find(({ id }) => id === factorId);
      if (entry === undefined || factor === undefined) throw notFound();
      const renamed = { ...factor, name: nameOf(factor.type, name) };
      const factors = entry.document.factors.map((each) => (each.id === factorId ? renamed : each));
      transaction.put(factorRecords, userId, { ...entry.document, factors });
      transaction.audit(
        aboutUser(userId, 'user.updated', 'user.rename_factor', {
          metadata: { type: factor.type, factorId },
          personal: { before: factor.name, after: renamed.name },
        }),
      );
    });
  }

  /**
   * Removes a factor. With the last one go the recovery codes, and the user's record says so.
   * @throws ProblemError 404; 422 where the organization requires a factor and no other one would be left
   */
  async remove(owner: Owner, factorId: string, facts: RequestFacts): Promise<void> {
    const { organization, userId } = owner;
    const { store } = organization;
    await transactByUser(this.#dependencies, owner, facts, (transaction) => {
      const entry = transaction.get(factorRecords, userId);
      const user = transaction.get(userRecords, userId);
      const factor = entry?.document.factors.find(({ id }) => id === factorId);
      if (entry === undefined || user === undefined || factor === undefined) throw notFound();
      const factors = entry.document.factors.filter(({ id }) => id !== factorId);
      const wasEnough = allowedFactors(store, entry.document.factors).length > 0;
      if (readSettings(store).mfa.required && wasEnough && allowedFactors(store, factors).length === 0) {
        throw refused(said('refusals.factorNeeded'));
      }
      const isLast = factors.length === 0;
      changeUser(
        transaction,
        user,
        { ...user.document, mfaEnabled: !isLast },
        {
          entries: [],
          events: [{ of: (about) => userMfaDisabled.of({ ...about, reason: 'removed' }) }],
        },
      );
      transaction.put(factorRecords, userId, isLast ? { factors } : { ...entry.document, factors });
      transaction.audit(
        aboutUser(userId, isLast ? 'user.mfa_disabled' : 'user.updated', 'user.remove_factor', {
          severity: 'warning',
          metadata: { type: factor.type, factorId },
          personal: { name: factor.name },
        }),
      );
    });
    tell(this.#dependencies, owner, 'removed');
  }
}
