export { Rein, ReinError, type ReinOptions } from "./client.ts";
export { Operations, type Call, type CallOptions } from "./operations.ts";
export { type FeedOptions, type FeedState } from "./feed.ts";
export { follow, type FollowOptions } from "./follow.ts";
export { live, type Hint, type LiveOptions } from "./live.ts";
export {
  fold, foldAll, openAsks, timeline, usageOf,
  type AskItem, type ChildItem, type Citation, type Claim, type Doing, type EndItem, type Item, type ModelItem, type PersonItem,
  type PhaseItem, type PlanItem, type ReinItem, type Timeline, type ToolItem, type ToolState, type Usage, type WaitItem,
} from "./timeline.ts";
export { argument, headline, isObject, money, size, span } from "./words.ts";

// The types of the API. Three of them have names that the timeline has too.
export type * from "./types.ts";
export type { Doing as RunDoing, Item as InboxItem, Usage as UsageReport } from "./types.ts";
