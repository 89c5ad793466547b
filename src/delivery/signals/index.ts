export { signalsChannel } from './channel/signals-channel.ts';
export { signalsModule } from './signals-module.ts';
