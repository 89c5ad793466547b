import { type AskedMove, type Engine, EngineError, type MoveStep } from '#engine';
import { type AuditMaker, auditedAs, operatorActor } from '../../kernel/audit/index.ts';
import { commit } from '../../kernel/commits/index.ts';
import { organizationEntry, slugOf, storeOf } from '../../kernel/organizations/index.ts';

const ACTIONS: Readonly<Record<MoveStep, string>> = {
  asked: 'organization.request_stream_move',
  moved: 'organization.move_stream',
};

/**
 * Puts into an organization's log that somebody asks for its changes to go to another stream, and that they do: nothing
 * is moved without the one, and the other says nothing that is not so.
 */
export class MoveRecords {
  #dependencies: { readonly engine: Engine; readonly maker: AuditMaker } | undefined;

  /** From here on. The writer takes what is asked of it before there is anything to write with. */
  writeBy(engine: Engine, maker: AuditMaker): void {
    this.#dependencies = { engine, maker };
  }

  /** @throws EngineError `unavailable`, `unknown_store` */
  async record({ store, stream, host }: AskedMove, step: MoveStep): Promise<void> {
    if (this.#dependencies === undefined) throw new EngineError('unavailable', 'the node is starting: try again');
    const { engine, maker } = this.#dependencies;
    await commit(engine, store, (changes) => {
      const organization = organizationEntry(engine, slugOf(store))?.document;
      if (organization === undefined) throw new EngineError('unknown_store', `there is no store ${store}`, { store });
      const { id } = organization;
      changes.change(
        auditedAs(maker, { id, store: { name: storeOf(organization.slug) } }, operatorActor, undefined, {
          eventType: 'admin.action',
          action: ACTIONS[step],
          targetId: id,
          targetType: 'organization',
          metadata: { stream, host },
        }),
      );
    });
  }
}
