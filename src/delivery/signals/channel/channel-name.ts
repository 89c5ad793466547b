/** First part of the keys of streams where the dispatcher keeps how they fare. */
export const channelName = 'signals';
