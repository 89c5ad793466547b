export type { AttemptRequest, ChannelKind, EndReason, Message, Sending } from './channel.ts';
export { served } from './channel.ts';
export { deliveryId } from './delivery-id.ts';
export { dispatchModule } from './dispatch-module.ts';
export { Dispatcher, type DispatcherDependencies } from './dispatcher.ts';
export { type Attempt, type DeliveryEntry, deliveryRecords } from './records/delivery-record.ts';
export { type ReplayRecord, replayRecords } from './records/replay-record.ts';
export {
  begun,
  type SubscriptionState,
  subscriptionKey,
  subscriptionStateRecords,
} from './records/subscription-state.ts';
export { requireTarget } from './require-target.ts';
export { newDelivery } from './sending/new-delivery.ts';
export { sendAttempt } from './sending/send-attempt.ts';
