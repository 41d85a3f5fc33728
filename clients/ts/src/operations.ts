// Generated from the code by make generate. Do not edit.

import type {
  Acts,
  Agenda,
  AgendaEvent,
  AgendaEventEdit,
  AgendaFeed,
  AgendaFree,
  AgendaImport,
  Agreed,
  Alive,
  Ask,
  Asks,
  BackgroundCommand,
  BackgroundCommands,
  Branches,
  ChangedJob,
  ChangedList,
  ChangedListItem,
  ChangedMemory,
  ChangedSession,
  ChangedUser,
  Changes,
  Channel,
  ChannelChange,
  ChannelCode,
  Channels,
  Checkpoint,
  Command,
  Deliveries,
  Devices,
  Discard,
  Discarded,
  Erasure,
  FeedbackList,
  File,
  FileChanges,
  Files,
  Flows,
  ForgottenMemory,
  Health,
  HookReceipt,
  HookRequest,
  Hooks,
  Household,
  Households,
  Invites,
  Job,
  JobRun,
  JobRuns,
  Limits,
  Lines,
  Links,
  List,
  Lists,
  LoginLink,
  MCPLogin,
  MCPReport,
  MCPServer,
  MCPServers,
  MadeHook,
  MadeHousehold,
  MadeInvite,
  MadePairing,
  MadeToken,
  Me,
  Memories,
  Memory,
  MemoryCounts,
  MemoryExport,
  MessagePreferences,
  Messages,
  Models,
  NewAgendaEvent,
  NewAnswer,
  NewBranch,
  NewChannel,
  NewErasure,
  NewFeedback,
  NewFork,
  NewHook,
  NewHousehold,
  NewInvite,
  NewJob,
  NewList,
  NewListItems,
  NewMCPServer,
  NewMemory,
  NewMessage,
  NewPage,
  NewPairing,
  NewPreference,
  NewPreset,
  NewPushSubscription,
  NewRun,
  NewSecret,
  NewToken,
  NewTrust,
  NewUser,
  NewWorkspace,
  Node,
  NoteCommit,
  NoteCommits,
  NoteText,
  NotesFound,
  NotesStatus,
  Page,
  PairingCode,
  Preference,
  Preferences,
  Preset,
  Presets,
  PushKey,
  Receipt,
  Receipts,
  Rekeyed,
  Replayed,
  Rule,
  Rules,
  Run,
  Runs,
  Schedules,
  Secret,
  Secrets,
  SeenMessages,
  Session,
  Sessions,
  ShownRun,
  SlashCommands,
  StagedNotes,
  StagedSession,
  Started,
  StepDetail,
  Steps,
  Todo,
  Tokens,
  Tools,
  TreeBudget,
  Trust,
  TrustedFolder,
  TrustedFolders,
  Usage,
  User,
  Users,
  Verdicts,
  Workspace,
  Workspaces,
  WrittenAgendaEvent,
} from "./types.ts";

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** For an operation that takes an Idempotency-Key: the key; empty: the client makes one. */
  key?: string;
}

/** A Call is a request as an operation describes it. */
export interface Call {
  name: string;
  method: string;
  path: string;
  query?: object;
  body?: unknown;
  /** The body is sent as it is, and not as JSON. */
  raw?: boolean;
  /** It takes an Idempotency-Key: sending it again with the same key does nothing twice. */
  once?: boolean;
  /** How the answer is read. */
  reads: "json" | "text" | "blob" | "none";
}

const part = encodeURIComponent;

/** Operations has a method for each operation of the API: the parts of its path, its body, its query, options. */
export abstract class Operations {
  abstract call<T>(call: Call, options?: CallOptions): Promise<T>;

  /**
   * Start a run. With `Accept: text/event-stream`, the answer is the stream of the run. Needs the scope `act`. A
   * stream needs the scope `read` too. It begins with `started`, whose data is a Started, and continues like `GET
   * /v1/runs/{id}/events`: if it breaks, continue there, after the last cursor that you read.
   */
  startRun(body: NewRun, query: { tree?: boolean } = {}, options?: CallOptions): Promise<Started> {
    return this.call<Started>({ name: "startRun", method: "POST", path: "/v1/runs", query, body, once: true, reads: "json" }, options);
  }

  /**
   * List runs. A page that searches may have fewer runs than you asked for, or none, and a `next`. Needs the scope
   * `read`.
   */
  listRuns(query: { session?: string; tree?: string; status?: "unfinished" | "paused" | "ready" | "running" | "waiting" | "blocked" | "done" | "limit" | "declined" | "stopped" | "cancelled" | "deleted" | "failed"; q?: string; flow?: string; user?: string; workspace?: string; since?: string; min_micros?: number; roots?: boolean; newest?: boolean; after?: string; limit?: number } = {}, options?: CallOptions): Promise<Runs> {
    return this.call<Runs>({ name: "listRuns", method: "GET", path: "/v1/runs", query, reads: "json" }, options);
  }

  /** Get a run. Needs the scope `read`. */
  showRun(id: string, options?: CallOptions): Promise<ShownRun> {
    return this.call<ShownRun>({ name: "showRun", method: "GET", path: `/v1/runs/${part(id)}`, reads: "json" }, options);
  }

  /** Get a run with its children, the steps it is working on, and its open asks. Needs the scope `read`. */
  showTree(id: string, options?: CallOptions): Promise<Node> {
    return this.call<Node>({ name: "showTree", method: "GET", path: `/v1/runs/${part(id)}/tree`, reads: "json" }, options);
  }

  /** Get the budget of a tree of runs, and what it has used. Needs the scope `read`. */
  showBudget(id: string, options?: CallOptions): Promise<TreeBudget> {
    return this.call<TreeBudget>({ name: "showBudget", method: "GET", path: `/v1/runs/${part(id)}/budget`, reads: "json" }, options);
  }

  /**
   * Get the list of things to do that the model keeps: the newest one of the run or, if it has none, of the runs
   * before it in its session. Needs the scope `read`.
   */
  showTodo(id: string, options?: CallOptions): Promise<Todo> {
    return this.call<Todo>({ name: "showTodo", method: "GET", path: `/v1/runs/${part(id)}/todo`, reads: "json" }, options);
  }

  /**
   * Download an image that the log of a run names: of its task, or one that a tool returned. Needs the scope
   * `read`.
   */
  readImage(id: string, sha256: string, options?: CallOptions): Promise<Blob> {
    return this.call<Blob>({ name: "readImage", method: "GET", path: `/v1/runs/${part(id)}/images/${part(sha256)}`, reads: "blob" }, options);
  }

  /** List the receipts of the commands to a run: what happened to each. Needs the scope `read`. */
  listReceipts(id: string, options?: CallOptions): Promise<Receipts> {
    return this.call<Receipts>({ name: "listReceipts", method: "GET", path: `/v1/runs/${part(id)}/receipts`, reads: "json" }, options);
  }

  /**
   * Read the log of a run: one page, or a stream or WebSocket that follows the run until it ends. Needs the scope
   * `read`.
   */
  events(id: string, query: { after?: string; tree?: boolean; limit?: number } = {}, options?: CallOptions): Promise<Lines> {
    return this.call<Lines>({ name: "events", method: "GET", path: `/v1/runs/${part(id)}/events`, query, reads: "json" }, options);
  }

  /** Resume a paused run, or retry a blocked one. Needs the scope `act`. */
  resumeRun(id: string, options?: CallOptions): Promise<Run> {
    return this.call<Run>({ name: "resumeRun", method: "POST", path: `/v1/runs/${part(id)}/resume`, reads: "json" }, options);
  }

  /**
   * Send a command to a run: message, modify, comment, pause, resume, mode, stop, cancel, delete, or answer. Needs
   * the scope `read`.
   */
  command(body: Command, options?: CallOptions): Promise<Receipt> {
    return this.call<Receipt>({ name: "command", method: "POST", path: "/v1/commands", body, once: true, reads: "json" }, options);
  }

  /** Get what people think of a run. Needs the scope `read`. */
  showFeedback(id: string, options?: CallOptions): Promise<FeedbackList> {
    return this.call<FeedbackList>({ name: "showFeedback", method: "GET", path: `/v1/runs/${part(id)}/feedback`, reads: "json" }, options);
  }

  /**
   * Say what you think of a run: up or down, with a comment. It replaces what you said before. Needs the scope
   * `act`.
   */
  giveFeedback(id: string, body: NewFeedback, options?: CallOptions): Promise<FeedbackList> {
    return this.call<FeedbackList>({ name: "giveFeedback", method: "PUT", path: `/v1/runs/${part(id)}/feedback`, body, reads: "json" }, options);
  }

  /** List the steps of a run in the order in which they began, without their texts. Needs the scope `read`. */
  listSteps(id: string, query: { after?: string; limit?: number } = {}, options?: CallOptions): Promise<Steps> {
    return this.call<Steps>({ name: "listSteps", method: "GET", path: `/v1/runs/${part(id)}/steps`, query, reads: "json" }, options);
  }

  /**
   * Get a step of a run with its texts: the prompt as it was sent and the reply, or the call and its result. Needs
   * the scope `read`.
   */
  showStep(id: string, key: string, options?: CallOptions): Promise<StepDetail> {
    return this.call<StepDetail>({ name: "showStep", method: "GET", path: `/v1/runs/${part(id)}/steps/${part(key)}`, reads: "json" }, options);
  }

  /**
   * Fork a run: start a new one that repeats it up to a step, and then goes its own way without effects, with
   * another model or an edited text. With `Accept: text/event-stream`, the answer is the stream of the new run.
   * Needs the scope `act`. A stream needs the scope `read` too. It begins with `started`, whose data is a Started,
   * and continues like `GET /v1/runs/{id}/events`: if it breaks, continue there, after the last cursor that you
   * read.
   */
  forkRun(id: string, body: NewFork, query: { tree?: boolean } = {}, options?: CallOptions): Promise<Started> {
    return this.call<Started>({ name: "forkRun", method: "POST", path: `/v1/runs/${part(id)}/forks`, query, body, once: true, reads: "json" }, options);
  }

  /**
   * Play a run again from its log, without effects, and compare: flows and engine are those of this server, and
   * what models, tools and people returned comes from the log. Needs the scope `read`.
   */
  replayRun(id: string, options?: CallOptions): Promise<Replayed> {
    return this.call<Replayed>({ name: "replayRun", method: "POST", path: `/v1/runs/${part(id)}/replay`, reads: "json" }, options);
  }

  /**
   * List what your runs changed in files and notes, newest first. A run of the flow `undo`, with the settings `run`
   * and `step`, undoes a change. Needs the scope `read`.
   */
  listFileChanges(query: { session?: string; workspace?: string; limit?: number } = {}, options?: CallOptions): Promise<FileChanges> {
    return this.call<FileChanges>({ name: "listFileChanges", method: "GET", path: "/v1/undoable", query, reads: "json" }, options);
  }

  /** List what a run and its children changed in files and notes, newest first. Needs the scope `read`. */
  listRunChanges(id: string, query: { limit?: number } = {}, options?: CallOptions): Promise<FileChanges> {
    return this.call<FileChanges>({ name: "listRunChanges", method: "GET", path: `/v1/runs/${part(id)}/changes`, query, reads: "json" }, options);
  }

  /**
   * List the commands that run in the background: your own, or those of the whole household if you are an admin.
   * They go on after their runs. Needs the scope `read`.
   */
  listBackground(options?: CallOptions): Promise<BackgroundCommands> {
    return this.call<BackgroundCommands>({ name: "listBackground", method: "GET", path: "/v1/background", reads: "json" }, options);
  }

  /** End a command that runs in the background, with everything that it started. Needs the scope `act`. */
  stopBackground(id: string, options?: CallOptions): Promise<BackgroundCommand> {
    return this.call<BackgroundCommand>({ name: "stopBackground", method: "DELETE", path: `/v1/background/${part(id)}`, reads: "json" }, options);
  }

  /**
   * Check that the log of a run, its texts, and what lists show of it are what was written. Needs the scope `read`.
   */
  verifyRun(id: string, query: { tree?: boolean; after?: string; limit?: number } = {}, options?: CallOptions): Promise<Verdicts> {
    return this.call<Verdicts>({ name: "verifyRun", method: "GET", path: `/v1/runs/${part(id)}/verify`, query, reads: "json" }, options);
  }

  /**
   * Get what runs have used: your own, or those of the whole household if you are an admin. Needs the scope `read`.
   */
  usage(query: { by?: "day" | "session" | "user" | "flow"; user?: string; zone?: string; after?: string; limit?: number } = {}, options?: CallOptions): Promise<Usage> {
    return this.call<Usage>({ name: "usage", method: "GET", path: "/v1/usage", query, reads: "json" }, options);
  }

  /**
   * Get your limits and what you have used of them: active runs, frames per hour, bytes, and tokens and money per
   * day. Admins see the household and each user. Needs the scope `read`.
   */
  limits(options?: CallOptions): Promise<Limits> {
    return this.call<Limits>({ name: "limits", method: "GET", path: "/v1/limits", reads: "json" }, options);
  }

  /**
   * List who did what, newest first: in your own runs, or in those of the whole household if you are an admin.
   * Needs the scope `read`.
   */
  audit(query: { tree?: string; user?: string; by?: string; before?: string; limit?: number } = {}, options?: CallOptions): Promise<Acts> {
    return this.call<Acts>({ name: "audit", method: "GET", path: "/v1/audit", query, reads: "json" }, options);
  }

  /**
   * Get the newest checkpoint: one hash over every log, the records about people, and the previous checkpoint. Only
   * for admins of the household that owns the server. Needs the scope `admin`.
   */
  lastHead(options?: CallOptions): Promise<Checkpoint> {
    return this.call<Checkpoint>({ name: "lastHead", method: "GET", path: "/v1/audit/head", reads: "json" }, options);
  }

  /** Create a checkpoint. Needs the scope `admin`. */
  newHead(options?: CallOptions): Promise<Checkpoint> {
    return this.call<Checkpoint>({ name: "newHead", method: "POST", path: "/v1/audit/head", reads: "json" }, options);
  }

  /** List the deliveries to webhooks, newest first, with those that still wait. Needs the scope `admin`. */
  listDeliveries(options?: CallOptions): Promise<Deliveries> {
    return this.call<Deliveries>({ name: "listDeliveries", method: "GET", path: "/v1/deliveries", reads: "json" }, options);
  }

  /** Enable a webhook again, and retry the deliveries that were given up. Needs the scope `admin`. */
  retryWebhook(name: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "retryWebhook", method: "POST", path: `/v1/webhooks/${part(name)}/retry`, reads: "none" }, options);
  }

  /** List asks: everything that waits, or waited, for a person. Needs the scope `read`. */
  listAsks(query: { tree?: string; state?: "pending" | "approved" | "edited" | "rejected" | "answered" | "declined" | "expired" | "withdrawn"; for?: string; after?: string; limit?: number } = {}, options?: CallOptions): Promise<Asks> {
    return this.call<Asks>({ name: "listAsks", method: "GET", path: "/v1/asks", query, reads: "json" }, options);
  }

  /** Get an ask. Needs the scope `read`. */
  showAsk(id: string, query: { reveal?: boolean } = {}, options?: CallOptions): Promise<Ask> {
    return this.call<Ask>({ name: "showAsk", method: "GET", path: `/v1/asks/${part(id)}`, query, reads: "json" }, options);
  }

  /**
   * Answer an ask: approve it (as shown or edited), reject it with a reason, answer it, or decline. Needs the scope
   * `answer`.
   */
  answerAsk(id: string, body: NewAnswer, options?: CallOptions): Promise<Receipt> {
    return this.call<Receipt>({ name: "answerAsk", method: "POST", path: `/v1/asks/${part(id)}/answer`, body, once: true, reads: "json" }, options);
  }

  /**
   * List your messages, the newest first: reminders, alarms, notices, and what waits for your answer. Needs the
   * scope `read`.
   */
  listMessages(query: { unread?: boolean; before?: string; limit?: number } = {}, options?: CallOptions): Promise<Messages> {
    return this.call<Messages>({ name: "listMessages", method: "GET", path: "/v1/messages", query, reads: "json" }, options);
  }

  /** Mark messages as read: those that you name, or all. Needs the scope `act`. */
  seeMessages(body: SeenMessages, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "seeMessages", method: "POST", path: "/v1/messages/seen", body, reads: "none" }, options);
  }

  /** Get how you want your messages: quiet hours, time zone and language. Needs the scope `read`. */
  showMessagePreferences(options?: CallOptions): Promise<MessagePreferences> {
    return this.call<MessagePreferences>({ name: "showMessagePreferences", method: "GET", path: "/v1/messages/preferences", reads: "json" }, options);
  }

  /** Set how you want your messages. In quiet hours they wait, unless they are urgent. Needs the scope `act`. */
  setMessagePreferences(body: MessagePreferences, options?: CallOptions): Promise<MessagePreferences> {
    return this.call<MessagePreferences>({ name: "setMessagePreferences", method: "PUT", path: "/v1/messages/preferences", body, reads: "json" }, options);
  }

  /**
   * List where you get messages outside of rein: addresses of mail, browsers, chats, webhooks. Needs the scope
   * `read`.
   */
  listChannels(options?: CallOptions): Promise<Channels> {
    return this.call<Channels>({ name: "listChannels", method: "GET", path: "/v1/channels", reads: "json" }, options);
  }

  /** Add an address of mail. A code is sent there; nothing else is until you repeat it. Needs the scope `act`. */
  addChannel(body: NewChannel, options?: CallOptions): Promise<Channel> {
    return this.call<Channel>({ name: "addChannel", method: "POST", path: "/v1/channels", body, reads: "json" }, options);
  }

  /** Choose which kinds of messages do not go to a channel. Needs the scope `act`. */
  changeChannel(id: string, body: ChannelChange, options?: CallOptions): Promise<Channel> {
    return this.call<Channel>({ name: "changeChannel", method: "PATCH", path: `/v1/channels/${part(id)}`, body, reads: "json" }, options);
  }

  /** Remove a channel. Nothing more is sent there. Needs the scope `act`. */
  removeChannel(id: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "removeChannel", method: "DELETE", path: `/v1/channels/${part(id)}`, reads: "none" }, options);
  }

  /** Send another code to an address of mail that is not verified. Needs the scope `act`. */
  sendChannelCode(id: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "sendChannelCode", method: "POST", path: `/v1/channels/${part(id)}/code`, reads: "none" }, options);
  }

  /** Repeat the code that was sent to a channel: from then on messages go there. Needs the scope `act`. */
  verifyChannel(id: string, body: ChannelCode, options?: CallOptions): Promise<Channel> {
    return this.call<Channel>({ name: "verifyChannel", method: "POST", path: `/v1/channels/${part(id)}/verify`, body, reads: "json" }, options);
  }

  /** Send a test message to a channel now. Needs the scope `act`. */
  testChannel(id: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "testChannel", method: "POST", path: `/v1/channels/${part(id)}/test`, reads: "none" }, options);
  }

  /** Get the key with which a browser subscribes to web push. Needs the scope `read`. */
  showPushKey(options?: CallOptions): Promise<PushKey> {
    return this.call<PushKey>({ name: "showPushKey", method: "GET", path: "/v1/push/key", reads: "json" }, options);
  }

  /**
   * Let a browser be notified: send what PushSubscription.toJSON() gives. To stop it, remove the channel. Needs the
   * scope `act`.
   */
  subscribePush(body: NewPushSubscription, options?: CallOptions): Promise<Channel> {
    return this.call<Channel>({ name: "subscribePush", method: "POST", path: "/v1/push/subscriptions", body, reads: "json" }, options);
  }

  /**
   * Create a code that makes a Telegram chat yours: send it to the bot. It works once, for ten minutes. Needs the
   * scope `act`.
   */
  newPairingCode(options?: CallOptions): Promise<PairingCode> {
    return this.call<PairingCode>({ name: "newPairingCode", method: "POST", path: "/v1/channels/pair", reads: "json" }, options);
  }

  /**
   * List your webhooks: where messages go, and through which your programs talk to your assistant. Needs the scope
   * `read`.
   */
  listHooks(options?: CallOptions): Promise<Hooks> {
    return this.call<Hooks>({ name: "listHooks", method: "GET", path: "/v1/hooks", reads: "json" }, options);
  }

  /** Create a webhook. The answer shows its secret; nothing shows it again. Needs the scope `act`. */
  addHook(body: NewHook, options?: CallOptions): Promise<MadeHook> {
    return this.call<MadeHook>({ name: "addHook", method: "POST", path: "/v1/hooks", body, reads: "json" }, options);
  }

  /** Remove a webhook. Nothing is sent or taken there any more. Needs the scope `act`. */
  removeHook(id: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "removeHook", method: "DELETE", path: `/v1/hooks/${part(id)}`, reads: "none" }, options);
  }

  /**
   * Say something to your assistant, or answer an ask, through a webhook. It takes no credential: the header
   * Rein-Signature signs the body with the secret of the hook, as docs/hooks.md shows. Needs no credential.
   */
  callHook(id: string, body: HookRequest, options?: CallOptions): Promise<HookReceipt> {
    return this.call<HookReceipt>({ name: "callHook", method: "POST", path: `/v1/hooks/${part(id)}`, body, reads: "json" }, options);
  }

  /**
   * List the rules that approvals with the scope session or always made: your own, or those of the whole household
   * if you are an admin. Needs the scope `read`.
   */
  listRules(query: { user?: string; workspace?: string; revoked?: boolean; after?: string; limit?: number } = {}, options?: CallOptions): Promise<Rules> {
    return this.call<Rules>({ name: "listRules", method: "GET", path: "/v1/rules", query, reads: "json" }, options);
  }

  /**
   * Revoke a rule, together with those that allow the same in the same place. The next call is asked about again.
   * Revoking it again changes nothing. Needs the scope `act`.
   */
  revokeRule(id: string, options?: CallOptions): Promise<Rule> {
    return this.call<Rule>({ name: "revokeRule", method: "DELETE", path: `/v1/rules/${part(id)}`, reads: "json" }, options);
  }

  /** List sessions: pinned ones first, then the one whose newest run began last. Needs the scope `read`. */
  listSessions(query: { q?: string; archived?: boolean; user?: string; after?: string; limit?: number } = {}, options?: CallOptions): Promise<Sessions> {
    return this.call<Sessions>({ name: "listSessions", method: "GET", path: "/v1/sessions", query, reads: "json" }, options);
  }

  /** Get a session. Needs the scope `read`. */
  showSession(id: string, options?: CallOptions): Promise<Session> {
    return this.call<Session>({ name: "showSession", method: "GET", path: `/v1/sessions/${part(id)}`, reads: "json" }, options);
  }

  /** Send a message to a session. It steers the active run, or starts one. Needs the scope `act`. */
  say(id: string, body: NewMessage, options?: CallOptions): Promise<Receipt> {
    return this.call<Receipt>({ name: "say", method: "POST", path: `/v1/sessions/${part(id)}/messages`, body, once: true, reads: "json" }, options);
  }

  /** List the files of a session: those that people uploaded and those that tools wrote. Needs the scope `read`. */
  listFiles(id: string, options?: CallOptions): Promise<Files> {
    return this.call<Files>({ name: "listFiles", method: "GET", path: `/v1/sessions/${part(id)}/files`, reads: "json" }, options);
  }

  /** Download a file of a session. Needs the scope `read`. */
  readFile(id: string, name: string, options?: CallOptions): Promise<Blob> {
    return this.call<Blob>({ name: "readFile", method: "GET", path: `/v1/sessions/${part(id)}/files/${part(name)}`, reads: "blob" }, options);
  }

  /** Upload a file to a session. It replaces a file with the same name. Needs the scope `act`. */
  putFile(id: string, name: string, body: BodyInit, options?: CallOptions): Promise<File> {
    return this.call<File>({ name: "putFile", method: "PUT", path: `/v1/sessions/${part(id)}/files/${part(name)}`, body, raw: true, reads: "json" }, options);
  }

  /** Delete a file from a session. Needs the scope `act`. */
  deleteFile(id: string, name: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "deleteFile", method: "DELETE", path: `/v1/sessions/${part(id)}/files/${part(name)}`, reads: "none" }, options);
  }

  /** Give a session a title, pin or archive it. Needs the scope `act`. */
  changeSession(id: string, body: ChangedSession, options?: CallOptions): Promise<Session> {
    return this.call<Session>({ name: "changeSession", method: "PATCH", path: `/v1/sessions/${part(id)}`, body, reads: "json" }, options);
  }

  /**
   * Edit an earlier message of a session: start a new session that has all that came before it, with a run for the
   * edited message. With `Accept: text/event-stream`, the answer is the stream of the run. Needs the scope `act`. A
   * stream needs the scope `read` too. It begins with `started`, whose data is a Started, and continues like `GET
   * /v1/runs/{id}/events`: if it breaks, continue there, after the last cursor that you read.
   */
  branchSession(id: string, body: NewBranch, query: { tree?: boolean } = {}, options?: CallOptions): Promise<Started> {
    return this.call<Started>({ name: "branchSession", method: "POST", path: `/v1/sessions/${part(id)}/branches`, query, body, once: true, reads: "json" }, options);
  }

  /**
   * List the runs of a session, with those that it inherits, beside which there are branches: which sessions go
   * another way there. Needs the scope `read`.
   */
  listBranches(id: string, options?: CallOptions): Promise<Branches> {
    return this.call<Branches>({ name: "listBranches", method: "GET", path: `/v1/sessions/${part(id)}/branches`, reads: "json" }, options);
  }

  /**
   * List the root runs of the whole conversation of a session: those that it inherits from the session it branched
   * from, and its own. Needs the scope `read`.
   */
  sessionHistory(id: string, query: { newest?: boolean; after?: string; limit?: number } = {}, options?: CallOptions): Promise<Runs> {
    return this.call<Runs>({ name: "sessionHistory", method: "GET", path: `/v1/sessions/${part(id)}/history`, query, reads: "json" }, options);
  }

  /**
   * Get the state of the vault and its files: which are indexed, which are not, and why. Needs the scope `read`.
   */
  notes(query: { workspace?: string } = {}, options?: CallOptions): Promise<NotesStatus> {
    return this.call<NotesStatus>({ name: "notes", method: "GET", path: "/v1/notes", query, reads: "json" }, options);
  }

  /** Search the notes by words and by meaning, best match first. Needs the scope `read`. */
  searchNotes(query: { q?: string; k?: number; folder?: string; tag?: string; explain?: boolean; about?: string; workspace?: string } = {}, options?: CallOptions): Promise<NotesFound> {
    return this.call<NotesFound>({ name: "searchNotes", method: "GET", path: "/v1/notes/search", query, reads: "json" }, options);
  }

  /** Get the links of a note in both directions, and related notes. Needs the scope `read`. */
  noteLinks(query: { path?: string; workspace?: string } = {}, options?: CallOptions): Promise<Links> {
    return this.call<Links>({ name: "noteLinks", method: "GET", path: "/v1/notes/links", query, reads: "json" }, options);
  }

  /** Read a note or a part of it: a section, or the characters that a citation names. Needs the scope `read`. */
  readNote(query: { path?: string; section?: string; start?: string; end?: string; max?: number; hash?: string; workspace?: string } = {}, options?: CallOptions): Promise<NoteText> {
    return this.call<NoteText>({ name: "readNote", method: "GET", path: "/v1/notes/read", query, reads: "json" }, options);
  }

  /** Download a file of the vault: a PDF, a picture or a note. Needs the scope `read`. */
  openNote(query: { path?: string; workspace?: string } = {}, options?: CallOptions): Promise<Blob> {
    return this.call<Blob>({ name: "openNote", method: "GET", path: "/v1/notes/file", query, reads: "blob" }, options);
  }

  /** List your staged changes to notes, by session. Needs the scope `read`. */
  listStaged(query: { workspace?: string } = {}, options?: CallOptions): Promise<StagedNotes> {
    return this.call<StagedNotes>({ name: "listStaged", method: "GET", path: "/v1/notes/staged", query, reads: "json" }, options);
  }

  /**
   * Get what a session has staged, with the full diff and the digest that a commit must repeat. Needs the scope
   * `read`.
   */
  showStaged(session: string, options?: CallOptions): Promise<StagedSession> {
    return this.call<StagedSession>({ name: "showStaged", method: "GET", path: `/v1/notes/staged/${part(session)}`, reads: "json" }, options);
  }

  /**
   * Commit what a session has staged: write all of it to the notes, or nothing if it is not what you were shown.
   * Needs the scope `answer`.
   */
  commitNotes(session: string, body: Agreed, options?: CallOptions): Promise<NoteCommit> {
    return this.call<NoteCommit>({ name: "commitNotes", method: "POST", path: `/v1/notes/staged/${part(session)}/commit`, body, once: true, reads: "json" }, options);
  }

  /** Discard what a session has staged, or only some of its notes. Needs the scope `act`. */
  discardNotes(session: string, body: Discard, options?: CallOptions): Promise<Discarded> {
    return this.call<Discarded>({ name: "discardNotes", method: "POST", path: `/v1/notes/staged/${part(session)}/discard`, body, reads: "json" }, options);
  }

  /** List the commits to notes by you and your runs, newest first. Needs the scope `read`. */
  listCommits(query: { workspace?: string; before?: string; limit?: number } = {}, options?: CallOptions): Promise<NoteCommits> {
    return this.call<NoteCommits>({ name: "listCommits", method: "GET", path: "/v1/notes/commits", query, reads: "json" }, options);
  }

  /**
   * Get a commit: what it changed, what an undo would change, and the digest that an undo must repeat. Needs the
   * scope `read`.
   */
  showCommit(id: string, query: { workspace?: string } = {}, options?: CallOptions): Promise<NoteCommit> {
    return this.call<NoteCommit>({ name: "showCommit", method: "GET", path: `/v1/notes/commits/${part(id)}`, query, reads: "json" }, options);
  }

  /**
   * Undo a commit, if it is what you were shown and nobody has changed its notes since. Needs the scope `answer`.
   */
  undoNotes(id: string, body: Agreed, query: { workspace?: string } = {}, options?: CallOptions): Promise<NoteCommit> {
    return this.call<NoteCommit>({ name: "undoNotes", method: "POST", path: `/v1/notes/commits/${part(id)}/undo`, query, body, once: true, reads: "json" }, options);
  }

  /** List the flows: the ways of working that a run can use. Needs the scope `read`. */
  listFlows(options?: CallOptions): Promise<Flows> {
    return this.call<Flows>({ name: "listFlows", method: "GET", path: "/v1/flows", reads: "json" }, options);
  }

  /** List the tools that a run can use. Needs the scope `read`. */
  listTools(options?: CallOptions): Promise<Tools> {
    return this.call<Tools>({ name: "listTools", method: "GET", path: "/v1/tools", reads: "json" }, options);
  }

  /** List the models that a run can use. Needs the scope `read`. */
  listModels(options?: CallOptions): Promise<Models> {
    return this.call<Models>({ name: "listModels", method: "GET", path: "/v1/models", reads: "json" }, options);
  }

  /**
   * List the presets: prepared tasks, by name. They are in the settings, or you or an admin saved them. Needs the
   * scope `read`.
   */
  listPresets(options?: CallOptions): Promise<Presets> {
    return this.call<Presets>({ name: "listPresets", method: "GET", path: "/v1/presets", reads: "json" }, options);
  }

  /** Get a preset. Needs the scope `read`. */
  showPreset(name: string, options?: CallOptions): Promise<Preset> {
    return this.call<Preset>({ name: "showPreset", method: "GET", path: `/v1/presets/${part(name)}`, reads: "json" }, options);
  }

  /**
   * Save how a run works, or a task, as a preset. It replaces yours of that name. A name in the settings is refused
   * (409). Needs the scope `act`.
   */
  savePreset(name: string, body: NewPreset, query: { shared?: boolean } = {}, options?: CallOptions): Promise<Preset> {
    return this.call<Preset>({ name: "savePreset", method: "PUT", path: `/v1/presets/${part(name)}`, query, body, reads: "json" }, options);
  }

  /** Remove a saved preset. Needs the scope `act`. */
  removePreset(name: string, query: { shared?: boolean } = {}, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "removePreset", method: "DELETE", path: `/v1/presets/${part(name)}`, query, reads: "none" }, options);
  }

  /**
   * List what happens in your agenda between two times, with the events that others in the household share. Needs
   * the scope `read`.
   */
  listAgenda(query: { from?: string; to?: string; zone?: string } = {}, options?: CallOptions): Promise<Agenda> {
    return this.call<Agenda>({ name: "listAgenda", method: "GET", path: "/v1/agenda/events", query, reads: "json" }, options);
  }

  /** Add an event to your agenda. The answer says what it conflicts with. Needs the scope `act`. */
  addAgendaEvent(body: NewAgendaEvent, options?: CallOptions): Promise<WrittenAgendaEvent> {
    return this.call<WrittenAgendaEvent>({ name: "addAgendaEvent", method: "POST", path: "/v1/agenda/events", body, once: true, reads: "json" }, options);
  }

  /** Get an event. Needs the scope `read`. */
  showAgendaEvent(id: string, options?: CallOptions): Promise<AgendaEvent> {
    return this.call<AgendaEvent>({ name: "showAgendaEvent", method: "GET", path: `/v1/agenda/events/${part(id)}`, reads: "json" }, options);
  }

  /** Change an event of yours, or some occurrences of one that repeats. Needs the scope `act`. */
  changeAgendaEvent(id: string, body: AgendaEventEdit, options?: CallOptions): Promise<WrittenAgendaEvent> {
    return this.call<WrittenAgendaEvent>({ name: "changeAgendaEvent", method: "PATCH", path: `/v1/agenda/events/${part(id)}`, body, reads: "json" }, options);
  }

  /** Delete an event of yours, or some occurrences of one that repeats. Needs the scope `act`. */
  deleteAgendaEvent(id: string, query: { scope?: "all" | "one" | "following"; occurrence?: string; version?: string } = {}, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "deleteAgendaEvent", method: "DELETE", path: `/v1/agenda/events/${part(id)}`, query, reads: "none" }, options);
  }

  /**
   * Find times at which nothing is in your agenda. Of others only the events count that they share. Needs the scope
   * `read`.
   */
  findFreeTime(query: { from?: string; to?: string; zone?: string; minutes?: number; day_start?: string; day_end?: string; days?: string; with?: string; limit?: number } = {}, options?: CallOptions): Promise<AgendaFree> {
    return this.call<AgendaFree>({ name: "findFreeTime", method: "GET", path: "/v1/agenda/free", query, reads: "json" }, options);
  }

  /**
   * Add the events of an iCalendar file to your agenda. Events that are there already, by their UID, are updated.
   * Needs the scope `act`.
   */
  importAgenda(body: BodyInit, options?: CallOptions): Promise<AgendaImport> {
    return this.call<AgendaImport>({ name: "importAgenda", method: "POST", path: "/v1/agenda/import", body, raw: true, reads: "json" }, options);
  }

  /** Download your events as an iCalendar file. Needs the scope `read`. */
  exportAgenda(options?: CallOptions): Promise<string> {
    return this.call<string>({ name: "exportAgenda", method: "GET", path: "/v1/agenda/export", reads: "text" }, options);
  }

  /**
   * Get whether other programs can read your agenda at an address, and since when. The address itself is shown only
   * once, by the answer that creates it. Needs the scope `read`.
   */
  showAgendaFeed(options?: CallOptions): Promise<AgendaFeed> {
    return this.call<AgendaFeed>({ name: "showAgendaFeed", method: "GET", path: "/v1/agenda/feed", reads: "json" }, options);
  }

  /**
   * Create the address at which other programs read your agenda, without a log-in. The one before stops working.
   * Needs the scope `act`.
   */
  newAgendaFeed(options?: CallOptions): Promise<AgendaFeed> {
    return this.call<AgendaFeed>({ name: "newAgendaFeed", method: "POST", path: "/v1/agenda/feed", reads: "json" }, options);
  }

  /** Revoke that address. It stops working at once. Needs the scope `act`. */
  endAgendaFeed(options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "endAgendaFeed", method: "DELETE", path: "/v1/agenda/feed", reads: "none" }, options);
  }

  /**
   * Read an agenda by its secret address: the events of its user, and those that the household sees. It needs no
   * log-in. Needs no credential.
   */
  readAgendaFeed(secret: string, options?: CallOptions): Promise<string> {
    return this.call<string>({ name: "readAgendaFeed", method: "GET", path: `/v1/agenda/feed/${part(secret)}`, reads: "text" }, options);
  }

  /**
   * List everything that erasing a run, a session or a user would remove. This erases nothing. Needs the scope
   * `act`.
   */
  planErasure(query: { run?: string; session?: string; user?: string } = {}, options?: CallOptions): Promise<Erasure> {
    return this.call<Erasure>({ name: "planErasure", method: "GET", path: "/v1/erasures", query, reads: "json" }, options);
  }

  /**
   * Erase a run, a session or a user, with everything that was listed. You cannot undo this. Needs the scope `act`.
   */
  erase(body: NewErasure, options?: CallOptions): Promise<Erasure> {
    return this.call<Erasure>({ name: "erase", method: "POST", path: "/v1/erasures", body, reads: "json" }, options);
  }

  /** Get who you are. Needs the scope `read`. */
  me(options?: CallOptions): Promise<Me> {
    return this.call<Me>({ name: "me", method: "GET", path: "/v1/me", reads: "json" }, options);
  }

  /** List the users of the household. If you are not an admin, the list has only you. Needs the scope `read`. */
  listUsers(options?: CallOptions): Promise<Users> {
    return this.call<Users>({ name: "listUsers", method: "GET", path: "/v1/users", reads: "json" }, options);
  }

  /** Add a user to the household. Needs the scope `admin`. */
  addUser(body: NewUser, options?: CallOptions): Promise<User> {
    return this.call<User>({ name: "addUser", method: "POST", path: "/v1/users", body, reads: "json" }, options);
  }

  /** Change a user's role, or disable or enable the user. Needs the scope `admin`. */
  changeUser(name: string, body: ChangedUser, options?: CallOptions): Promise<User> {
    return this.call<User>({ name: "changeUser", method: "PATCH", path: `/v1/users/${part(name)}`, body, reads: "json" }, options);
  }

  /** Create a link that logs the user in to a browser, once. Needs the scope `admin`. */
  newLink(name: string, options?: CallOptions): Promise<LoginLink> {
    return this.call<LoginLink>({ name: "newLink", method: "POST", path: `/v1/users/${part(name)}/link`, reads: "json" }, options);
  }

  /** Log the user out of every browser. Needs the scope `read`. */
  logoutUser(name: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "logoutUser", method: "POST", path: `/v1/users/${part(name)}/logout`, reads: "none" }, options);
  }

  /**
   * List tokens, without their secrets: your own, or those of the whole household if you are an admin. Needs the
   * scope `read`.
   */
  listTokens(options?: CallOptions): Promise<Tokens> {
    return this.call<Tokens>({ name: "listTokens", method: "GET", path: "/v1/tokens", reads: "json" }, options);
  }

  /** Create a token. The answer shows its secret; nothing shows it again. Needs the scope `read`. */
  newToken(body: NewToken, options?: CallOptions): Promise<MadeToken> {
    return this.call<MadeToken>({ name: "newToken", method: "POST", path: "/v1/tokens", body, reads: "json" }, options);
  }

  /** Revoke a token. It stops working at once. Needs the scope `read`. */
  revokeToken(id: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "revokeToken", method: "DELETE", path: `/v1/tokens/${part(id)}`, reads: "none" }, options);
  }

  /** List the changes to users, tokens and logins of the household, oldest first. Needs the scope `admin`. */
  listChanges(query: { after?: string; limit?: number } = {}, options?: CallOptions): Promise<Changes> {
    return this.call<Changes>({ name: "listChanges", method: "GET", path: "/v1/changes", query, reads: "json" }, options);
  }

  /** Get your household, with what each role may approve, use and spend. Needs the scope `read`. */
  showHousehold(options?: CallOptions): Promise<Household> {
    return this.call<Household>({ name: "showHousehold", method: "GET", path: "/v1/household", reads: "json" }, options);
  }

  /** List all households of the server. Only on its machine. Needs the scope `admin`. */
  listHouseholds(options?: CallOptions): Promise<Households> {
    return this.call<Households>({ name: "listHouseholds", method: "GET", path: "/v1/households", reads: "json" }, options);
  }

  /** Create a household with its first owner. Only on the machine of the server. Needs the scope `admin`. */
  addHousehold(body: NewHousehold, options?: CallOptions): Promise<MadeHousehold> {
    return this.call<MadeHousehold>({ name: "addHousehold", method: "POST", path: "/v1/households", body, reads: "json" }, options);
  }

  /**
   * Create a link that logs a user of any household in to a browser, once. Only on the machine of the server. Needs
   * the scope `admin`.
   */
  newHouseholdLink(name: string, user: string, options?: CallOptions): Promise<LoginLink> {
    return this.call<LoginLink>({ name: "newHouseholdLink", method: "POST", path: `/v1/households/${part(name)}/users/${part(user)}/link`, reads: "json" }, options);
  }

  /** Create a link with which one person joins the household, once. Needs the scope `admin`. */
  newInvite(body: NewInvite, options?: CallOptions): Promise<MadeInvite> {
    return this.call<MadeInvite>({ name: "newInvite", method: "POST", path: "/v1/invites", body, reads: "json" }, options);
  }

  /** List the invitations of the household, newest first. Needs the scope `admin`. */
  listInvites(options?: CallOptions): Promise<Invites> {
    return this.call<Invites>({ name: "listInvites", method: "GET", path: "/v1/invites", reads: "json" }, options);
  }

  /** Revoke an invitation that nobody has used. Needs the scope `admin`. */
  revokeInvite(id: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "revokeInvite", method: "DELETE", path: `/v1/invites/${part(id)}`, reads: "none" }, options);
  }

  /**
   * Create a short code that logs a device in, once. For another user, if you are an admin. Needs the scope `read`.
   */
  newPairing(body: NewPairing, options?: CallOptions): Promise<MadePairing> {
    return this.call<MadePairing>({ name: "newPairing", method: "POST", path: "/v1/pairings", body, reads: "json" }, options);
  }

  /** List the browsers that are logged in, newest first. Needs the scope `read`. */
  listDevices(query: { user?: string } = {}, options?: CallOptions): Promise<Devices> {
    return this.call<Devices>({ name: "listDevices", method: "GET", path: "/v1/devices", query, reads: "json" }, options);
  }

  /** Log a browser out. Needs the scope `read`. */
  revokeDevice(id: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "revokeDevice", method: "DELETE", path: `/v1/devices/${part(id)}`, reads: "none" }, options);
  }

  /** Get the object that the web page keeps for you. Needs the scope `read`. */
  readPage(options?: CallOptions): Promise<Page> {
    return this.call<Page>({ name: "readPage", method: "GET", path: "/v1/me/page", reads: "json" }, options);
  }

  /** Replace the object that the web page keeps for you. A token needs the scope `act`. Needs the scope `read`. */
  keepPage(body: NewPage, options?: CallOptions): Promise<Page> {
    return this.call<Page>({ name: "keepPage", method: "PUT", path: "/v1/me/page", body, reads: "json" }, options);
  }

  /** List secrets, without their values: your own and those of the household. Needs the scope `read`. */
  listSecrets(options?: CallOptions): Promise<Secrets> {
    return this.call<Secrets>({ name: "listSecrets", method: "GET", path: "/v1/secrets", reads: "json" }, options);
  }

  /**
   * Keep a secret, such as a key or a password. It is sealed, and nothing shows its value again. Needs the scope
   * `act`.
   */
  setSecret(name: string, body: NewSecret, query: { shared?: boolean } = {}, options?: CallOptions): Promise<Secret> {
    return this.call<Secret>({ name: "setSecret", method: "PUT", path: `/v1/secrets/${part(name)}`, query, body, reads: "json" }, options);
  }

  /** Remove a secret. Needs the scope `act`. */
  removeSecret(name: string, query: { shared?: boolean } = {}, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "removeSecret", method: "DELETE", path: `/v1/secrets/${part(name)}`, query, reads: "none" }, options);
  }

  /**
   * Make a new key and seal every secret with it. Only for admins of the household that owns the server. Needs the
   * scope `admin`.
   */
  rekeySecrets(options?: CallOptions): Promise<Rekeyed> {
    return this.call<Rekeyed>({ name: "rekeySecrets", method: "POST", path: "/v1/secret-key", reads: "json" }, options);
  }

  /** List the lists of your household, and those that are yours alone. Needs the scope `read`. */
  listLists(options?: CallOptions): Promise<Lists> {
    return this.call<Lists>({ name: "listLists", method: "GET", path: "/v1/lists", reads: "json" }, options);
  }

  /** Create a list. Needs the scope `act`. */
  createList(body: NewList, options?: CallOptions): Promise<List> {
    return this.call<List>({ name: "createList", method: "POST", path: "/v1/lists", body, once: true, reads: "json" }, options);
  }

  /**
   * Get a list with its items. A list is named by its ID or its name; `groceries` is the household's list of
   * groceries, whatever its name. Needs the scope `read`.
   */
  showList(list: string, options?: CallOptions): Promise<List> {
    return this.call<List>({ name: "showList", method: "GET", path: `/v1/lists/${part(list)}`, reads: "json" }, options);
  }

  /** Give a list another name. Needs the scope `act`. */
  changeList(list: string, body: ChangedList, options?: CallOptions): Promise<List> {
    return this.call<List>({ name: "changeList", method: "PATCH", path: `/v1/lists/${part(list)}`, body, reads: "json" }, options);
  }

  /**
   * Delete a list with all its items. You can delete what you made; an owner of the household can delete every
   * shared list. Needs the scope `act`.
   */
  deleteList(list: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "deleteList", method: "DELETE", path: `/v1/lists/${part(list)}`, reads: "none" }, options);
  }

  /** Add items to a list. The list of groceries is made if it does not exist yet. Needs the scope `act`. */
  addListItems(list: string, body: NewListItems, options?: CallOptions): Promise<List> {
    return this.call<List>({ name: "addListItems", method: "POST", path: `/v1/lists/${part(list)}/items`, body, once: true, reads: "json" }, options);
  }

  /** Remove all items that are done from a list. Needs the scope `act`. */
  removeDoneItems(list: string, options?: CallOptions): Promise<List> {
    return this.call<List>({ name: "removeDoneItems", method: "DELETE", path: `/v1/lists/${part(list)}/items`, reads: "json" }, options);
  }

  /**
   * Change an item, say that it is done or not, or move it. An item is named by its number, its ID or its text.
   * Needs the scope `act`.
   */
  changeListItem(list: string, item: string, body: ChangedListItem, options?: CallOptions): Promise<List> {
    return this.call<List>({ name: "changeListItem", method: "PATCH", path: `/v1/lists/${part(list)}/items/${part(item)}`, body, reads: "json" }, options);
  }

  /** Remove an item from a list. Needs the scope `act`. */
  removeListItem(list: string, item: string, options?: CallOptions): Promise<List> {
    return this.call<List>({ name: "removeListItem", method: "DELETE", path: `/v1/lists/${part(list)}/items/${part(item)}`, reads: "json" }, options);
  }

  /** List what rein remembers of you, and what others said for everyone at home. Needs the scope `read`. */
  listMemories(query: { q?: string } = {}, options?: CallOptions): Promise<Memories> {
    return this.call<Memories>({ name: "listMemories", method: "GET", path: "/v1/memories", query, reads: "json" }, options);
  }

  /**
   * Have rein remember something about you. It takes the place of what you said before about the same. Needs the
   * scope `act`.
   */
  addMemory(body: NewMemory, options?: CallOptions): Promise<Memory> {
    return this.call<Memory>({ name: "addMemory", method: "POST", path: "/v1/memories", body, reads: "json" }, options);
  }

  /** Get a memory with what it replaced. Needs the scope `read`. */
  showMemory(id: string, options?: CallOptions): Promise<Memory> {
    return this.call<Memory>({ name: "showMemory", method: "GET", path: `/v1/memories/${part(id)}`, reads: "json" }, options);
  }

  /** Change a memory of yours. Needs the scope `act`. */
  changeMemory(id: string, body: ChangedMemory, options?: CallOptions): Promise<Memory> {
    return this.call<Memory>({ name: "changeMemory", method: "PATCH", path: `/v1/memories/${part(id)}`, body, reads: "json" }, options);
  }

  /** Forget a memory of yours, with what it had replaced and the summaries that quote it. Needs the scope `act`. */
  forgetMemory(id: string, query: { version?: string } = {}, options?: CallOptions): Promise<ForgottenMemory> {
    return this.call<ForgottenMemory>({ name: "forgetMemory", method: "DELETE", path: `/v1/memories/${part(id)}`, query, reads: "json" }, options);
  }

  /**
   * Count what rein knows about you or, if you are an admin, about each user of your household. Only the user sees
   * what it is. Needs the scope `read`.
   */
  countMemories(options?: CallOptions): Promise<MemoryCounts> {
    return this.call<MemoryCounts>({ name: "countMemories", method: "GET", path: "/v1/memory/counts", reads: "json" }, options);
  }

  /**
   * Export all that rein knows about you: memories, preferences, snapshots and summaries. Needs the scope `read`.
   */
  exportMemory(options?: CallOptions): Promise<MemoryExport> {
    return this.call<MemoryExport>({ name: "exportMemory", method: "GET", path: "/v1/memory/export", reads: "json" }, options);
  }

  /** List your preferences and those of your household. Needs the scope `read`. */
  listPreferences(options?: CallOptions): Promise<Preferences> {
    return this.call<Preferences>({ name: "listPreferences", method: "GET", path: "/v1/preferences", reads: "json" }, options);
  }

  /**
   * Set a preference: allergies (a list with commas), diet, language, units, or any other name. Needs the scope
   * `act`.
   */
  setPreference(name: string, body: NewPreference, options?: CallOptions): Promise<Preference> {
    return this.call<Preference>({ name: "setPreference", method: "PUT", path: `/v1/preferences/${part(name)}`, body, reads: "json" }, options);
  }

  /** Remove a preference. Removing it again changes nothing. Needs the scope `act`. */
  removePreference(name: string, query: { household?: boolean } = {}, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "removePreference", method: "DELETE", path: `/v1/preferences/${part(name)}`, query, reads: "none" }, options);
  }

  /** List your jobs: reminders, and work that is done later. Needs the scope `read`. */
  listJobs(query: { all?: boolean } = {}, options?: CallOptions): Promise<Schedules> {
    return this.call<Schedules>({ name: "listJobs", method: "GET", path: "/v1/schedules", query, reads: "json" }, options);
  }

  /**
   * Make a job. At most 20 can be made a day. A role that may not approve calls of the family cron may not make
   * jobs either (403). Needs the scope `act`.
   */
  addJob(body: NewJob, options?: CallOptions): Promise<Job> {
    return this.call<Job>({ name: "addJob", method: "POST", path: "/v1/schedules", body, once: true, reads: "json" }, options);
  }

  /** Get a job, with the next times at which it fires. Needs the scope `read`. */
  showJob(job: string, options?: CallOptions): Promise<Job> {
    return this.call<Job>({ name: "showJob", method: "GET", path: `/v1/schedules/${part(job)}`, reads: "json" }, options);
  }

  /** Change a job, or enable or disable it. Needs the scope `act`. */
  changeJob(job: string, body: ChangedJob, options?: CallOptions): Promise<Job> {
    return this.call<Job>({ name: "changeJob", method: "PATCH", path: `/v1/schedules/${part(job)}`, body, reads: "json" }, options);
  }

  /** Remove a job. The runs that it started stay. Needs the scope `act`. */
  removeJob(job: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "removeJob", method: "DELETE", path: `/v1/schedules/${part(job)}`, reads: "none" }, options);
  }

  /**
   * Fire a job now, once more than its schedule says. If its run before has not ended, it waits for that. Needs the
   * scope `act`.
   */
  fireJob(job: string, options?: CallOptions): Promise<JobRun> {
    return this.call<JobRun>({ name: "fireJob", method: "POST", path: `/v1/schedules/${part(job)}/run`, reads: "json" }, options);
  }

  /** List when a job fired, or was to, the newest first. Needs the scope `read`. */
  listJobRuns(job: string, query: { limit?: number } = {}, options?: CallOptions): Promise<JobRuns> {
    return this.call<JobRuns>({ name: "listJobRuns", method: "GET", path: `/v1/schedules/${part(job)}/runs`, query, reads: "json" }, options);
  }

  /** List the workspaces that you can name in a task. Admins also see their folders. Needs the scope `read`. */
  listWorkspaces(options?: CallOptions): Promise<Workspaces> {
    return this.call<Workspaces>({ name: "listWorkspaces", method: "GET", path: "/v1/workspaces", reads: "json" }, options);
  }

  /** Add a workspace. Adding the same one again changes nothing. Needs the scope `admin`. */
  addWorkspace(body: NewWorkspace, options?: CallOptions): Promise<Workspace> {
    return this.call<Workspace>({ name: "addWorkspace", method: "POST", path: "/v1/workspaces", body, reads: "json" }, options);
  }

  /** Remove a workspace. Its folder stays. Needs the scope `admin`. */
  removeWorkspace(name: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "removeWorkspace", method: "DELETE", path: `/v1/workspaces/${part(name)}`, reads: "none" }, options);
  }

  /**
   * List what the folder of a workspace brings (instructions, rules, skills, commands, MCP servers), and whether
   * somebody trusts it. Needs the scope `read`.
   */
  getTrust(name: string, query: { folder?: string } = {}, options?: CallOptions): Promise<Trust> {
    return this.call<Trust>({ name: "getTrust", method: "GET", path: `/v1/workspaces/${part(name)}/trust`, query, reads: "json" }, options);
  }

  /**
   * Trust what the folder of a workspace brings, or decline to. Only on the machine itself, over its unix socket.
   * Needs the scope `admin`.
   */
  decideTrust(name: string, body: NewTrust, options?: CallOptions): Promise<Trust> {
    return this.call<Trust>({ name: "decideTrust", method: "POST", path: `/v1/workspaces/${part(name)}/trust`, body, reads: "json" }, options);
  }

  /** List the folders that somebody trusts. Needs the scope `admin`. */
  listTrust(options?: CallOptions): Promise<TrustedFolders> {
    return this.call<TrustedFolders>({ name: "listTrust", method: "GET", path: "/v1/trust", reads: "json" }, options);
  }

  /**
   * Revoke the trust in a folder, whatever it brought. Only on the machine itself, over its unix socket. Needs the
   * scope `admin`.
   */
  revokeTrust(id: string, options?: CallOptions): Promise<TrustedFolder> {
    return this.call<TrustedFolder>({ name: "revokeTrust", method: "DELETE", path: `/v1/trust/${part(id)}`, reads: "json" }, options);
  }

  /**
   * List the commands that a task in the workspace can begin with: your own and those of its folder, if somebody
   * trusts it. Needs the scope `read`.
   */
  listCommands(name: string, query: { folder?: string } = {}, options?: CallOptions): Promise<SlashCommands> {
    return this.call<SlashCommands>({ name: "listCommands", method: "GET", path: `/v1/workspaces/${part(name)}/commands`, query, reads: "json" }, options);
  }

  /**
   * List the MCP servers whose tools runs can use. Admins also see how they are reached. Needs the scope `read`.
   */
  listMCP(options?: CallOptions): Promise<MCPServers> {
    return this.call<MCPServers>({ name: "listMCP", method: "GET", path: "/v1/mcp", reads: "json" }, options);
  }

  /**
   * Add an MCP server. This works only on the machine of the server, with rein mcp add. Needs the scope `admin`.
   */
  addMCP(body: NewMCPServer, options?: CallOptions): Promise<MCPServer> {
    return this.call<MCPServer>({ name: "addMCP", method: "POST", path: "/v1/mcp", body, reads: "json" }, options);
  }

  /** Remove an MCP server that was added. This works only on the machine of the server. Needs the scope `admin`. */
  removeMCP(name: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "removeMCP", method: "DELETE", path: `/v1/mcp/${part(name)}`, reads: "none" }, options);
  }

  /**
   * Connect to an MCP server and report its tools, resources and prompts, and what is wrong with it. Needs the
   * scope `admin`.
   */
  testMCP(name: string, options?: CallOptions): Promise<MCPReport> {
    return this.call<MCPReport>({ name: "testMCP", method: "POST", path: `/v1/mcp/${part(name)}/test`, reads: "json" }, options);
  }

  /** Begin your login to an MCP server. The answer is where your browser has to go. Needs the scope `act`. */
  loginMCP(name: string, options?: CallOptions): Promise<MCPLogin> {
    return this.call<MCPLogin>({ name: "loginMCP", method: "POST", path: `/v1/mcp/${part(name)}/login`, reads: "json" }, options);
  }

  /** Forget your login to an MCP server. Needs the scope `act`. */
  logoutMCP(name: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "logoutMCP", method: "DELETE", path: `/v1/mcp/${part(name)}/login`, reads: "none" }, options);
  }

  /**
   * Accept the definitions that the tools of an MCP server have now, so that the settings hold for them. Needs the
   * scope `admin`.
   */
  acceptMCP(name: string, options?: CallOptions): Promise<void> {
    return this.call<void>({ name: "acceptMCP", method: "POST", path: `/v1/mcp/${part(name)}/accept`, reads: "none" }, options);
  }

  /** Get the version and the state of the process. Needs the scope `read`. */
  health(options?: CallOptions): Promise<Health> {
    return this.call<Health>({ name: "health", method: "GET", path: "/v1/health", reads: "json" }, options);
  }

  /** Check that the process answers. Needs no credential. */
  alive(options?: CallOptions): Promise<Alive> {
    return this.call<Alive>({ name: "alive", method: "GET", path: "/healthz", reads: "json" }, options);
  }

  /** Check that the process accepts work. Needs no credential. */
  ready(options?: CallOptions): Promise<Alive> {
    return this.call<Alive>({ name: "ready", method: "GET", path: "/readyz", reads: "json" }, options);
  }

  /** Get this description of the API as OpenAPI 3.1. Needs no credential. */
  openapi(options?: CallOptions): Promise<unknown> {
    return this.call<unknown>({ name: "openapi", method: "GET", path: "/openapi.json", reads: "json" }, options);
  }

  /** Get this description of the API as a web page. Needs no credential. */
  docs(options?: CallOptions): Promise<string> {
    return this.call<string>({ name: "docs", method: "GET", path: "/docs", reads: "text" }, options);
  }

  /** Get the contracts of the dialects, which are served beside this API, as Markdown. Needs no credential. */
  dialects(options?: CallOptions): Promise<string> {
    return this.call<string>({ name: "dialects", method: "GET", path: "/docs/dialects", reads: "text" }, options);
  }
}
