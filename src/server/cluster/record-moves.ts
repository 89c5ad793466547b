import { type AskedMove, type Engine, EngineError } from '#engine';
import { type AuditMaker, auditedAs, operatorActor } from '../../kernel/audit/index.ts';
import { commit } from '../../kernel/commits/index.ts';
import { organizationEntry, slugOf, storeOf } from '../../kernel/organizations/index.ts';

/** Puts into an organization's log that its changes go to another stream, before they do. */
export class MoveRecords {
  #dependencies: { readonly engine: Engine; readonly maker: AuditMaker } | undefined;

  /** From here on. The writer takes what is asked of it before there is anything to write with. */
  writeBy(engine: Engine, maker: AuditMaker): void {
    this.#dependencies = { engine, maker };
  }

  /** @throws EngineError `unavailable`, `unknown_store` */
  async record({ store, stream, host }: AskedMove): Promise<void> {
    if (this.#dependencies === undefined) throw new EngineError('unavailable', 'the node is starting: try again');
    const { engine, maker } = this.#dependencies;
    await commit(engine, store, (changes) => {
      const organization = organizationEntry(engine, slugOf(store))?.document;
      if (organization === undefined) throw new EngineError('unknown_store', `there is no store ${store}`, { store });
      const { id } = organization;
      changes.change(
        auditedAs(maker, { id, store: { name: storeOf(organization.slug) } }, operatorActor, undefined, {
          eventType: 'admin.action',
          action: 'organization.move_stream',
          targetId: id,
          targetType: 'organization',
          metadata: { stream, host },
        }),
      );
    });
  }
}
