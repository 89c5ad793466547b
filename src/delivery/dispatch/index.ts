export { begun } from './begun.ts';
export type { ChannelKind, EndReason, Message, Sending } from './channel.ts';
export { deliveryId } from './delivery-id.ts';
export { type DispatchServices, dispatchModule } from './dispatch-module.ts';
export { Dispatcher, type DispatcherDependencies, type DispatchLimits } from './dispatcher.ts';
export { type Attempt, type DeliveryEntry, type DeliveryRecord, deliveryRecords } from './records/delivery-record.ts';
export { type ReplayRecord, replayRecords } from './records/replay-record.ts';
export { type SubscriptionState, subscriptionKey, subscriptionStateRecords } from './records/subscription-state.ts';
export { served } from './served.ts';
