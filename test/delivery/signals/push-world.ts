import { Dispatcher, served } from '../../../src/delivery/dispatch/index.ts';
import { signalsChannel } from '../../../src/delivery/signals/index.ts';
import { OutboundClient, OutboundGuard } from '../../../src/platform/index.ts';
import { ClockedProvider } from '../../protocols/oauth/in-process.ts';
import { Receiver as Address } from '../dispatch/receiver.ts';

const limits = { deliveryRetentionMs: 86_400_000, deliveryFailures: 2, deliveryFailingMs: 0 };

/** A transmitter in this process whose clock the test moves, and an address to which it pushes. */
export class PushWorld {
  readonly provider: ClockedProvider;
  readonly address: Address;
  readonly #client = new OutboundClient(new OutboundGuard(true), { perHost: 16 });
  #dispatcher: Dispatcher | undefined;

  private constructor(provider: ClockedProvider, address: Address) {
    this.provider = provider;
    this.address = address;
  }

  static async start(slug: string): Promise<PushWorld> {
    return new PushWorld(await ClockedProvider.start(slug, { RELATA_ALLOW_PRIVATE_URLS: '1' }), await Address.start());
  }

  /** From now on events are pushed, where the test looks for them. */
  dispatch(): void {
    const services = this.provider.service.keyDependencies();
    this.#dispatcher = new Dispatcher({
      ...services,
      limits,
      channels: [served(signalsChannel()).serve(services)],
      send: (request) => this.#client.request({ ...request, timeoutMs: 2_000 }),
      meter: { made: () => {}, waiting: () => {}, missed: () => {} },
      random: () => 0.5,
    });
  }

  async rest(): Promise<void> {
    await this.#dispatcher?.stop();
    this.#dispatcher = undefined;
  }

  /** Looks until nothing is under way and nothing more comes. */
  async settle(): Promise<void> {
    const dispatcher = this.#dispatcher;
    if (dispatcher === undefined) return;
    const { received } = this.address;
    await dispatcher.follow();
    await dispatcher.look();
    for (let quiet = 0, seen = -1; quiet < 4; quiet = received.length === seen ? quiet + 1 : 0) {
      seen = received.length;
      await dispatcher.idle();
      await new Promise((resolve) => setTimeout(resolve, 40));
      await dispatcher.follow();
    }
  }

  async stop(): Promise<void> {
    await this.rest();
    this.#client.close();
    await this.address.stop();
    await this.provider.service.stop();
  }
}
