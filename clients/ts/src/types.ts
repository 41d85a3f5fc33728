// Generated from the code by make generate. Do not edit.

/** An About says where a note ranks, or why it was not found. */
export interface About {
  path: string;
  /** the rank of its best passage, from 1; 0: it was not found */
  rank?: number;
  score?: number;
  why?: Parts;
  /** the explanation, in words */
  says: string;
}

/** An Account shows the limits of a user, or of a household as a whole, and what is used of them. */
export interface Account {
  household: string;
  /** empty: the household, with all its users */
  user?: string;
  /** of the user, if it is what limits their money */
  role?: UserRole;
  used: Quota;
  /** 0 in a field: no limit */
  most: Quota;
  /** when the count of frames starts again */
  next_hour: string;
  /** when the counts of tokens and money start again: midnight UTC */
  next_day: string;
}

/** An Act is an event that a person, or a run, is responsible for. */
export interface Act {
  /** its number; later acts have higher ones */
  n: number;
  at: string;
  household: string;
  /** whose run it is */
  user: string;
  run: string;
  seq: number;
  kind: Kind;
  step?: string;
  /** who did it; empty: the run itself */
  by?: string;
}

/** Acts is the answer to GET /v1/audit. */
export interface Acts {
  /** newest first */
  acts: Act[];
  /** pass it as before to get the next page; 0: this is the last one */
  next?: number;
}

/** Agenda is the answer to GET /v1/agenda/events: what happens between two times, by the start. */
export interface Agenda {
  occurrences: AgendaOccurrence[];
  /** of the days and of the wall times of the question */
  zone: string;
}

/** AgendaChange is one time of an event that differs from the others. */
export interface AgendaChange {
  /** when it would have been */
  occurrence: string;
  title: string;
  place?: string;
  notes?: string;
  start: string;
  end: string;
  all_day?: boolean;
}

/** AgendaConflict is two events at once. */
export interface AgendaConflict {
  /** when the event itself begins that time */
  at: string;
  /** what is there already */
  other: AgendaOccurrence;
}

/** AgendaEvent is something in the agenda of a user. */
export interface AgendaEvent {
  id: string;
  /** its name in iCalendar files */
  uid: string;
  /** whose it is */
  user: string;
  /** who made it */
  by: string;
  title: string;
  place?: string;
  notes?: string;
  /** as a clock in the zone shows it, such as 2026-11-24T09:00; a day if it lasts all day */
  start: string;
  /** the same; the last day if it lasts all day */
  end: string;
  zone: string;
  all_day?: boolean;
  /** it takes no time */
  free?: boolean;
  /** how it repeats, as RRULE of RFC 5545, such as FREQ=WEEKLY;BYDAY=TU */
  rule?: string;
  /** when it happens too */
  dates?: string[];
  /** when it does not happen, although the rule says so */
  skips?: string[];
  changes?: AgendaChange[];
  /** minutes before the start */
  alarms?: number[];
  /** the household sees it */
  shared?: boolean;
  /** names what the event says now */
  version: string;
  created: string;
  updated: string;
}

/** AgendaEventEdit is the body of PATCH /v1/agenda/events/{id}. What is not there stays. */
export interface AgendaEventEdit {
  /** of an event that repeats: one, following or all */
  scope?: string;
  /** which one is meant, as the list has it */
  occurrence?: string;
  /** refuse the change if the event says something else by now */
  version?: string;
  title?: string;
  place?: string;
  notes?: string;
  start?: string;
  end?: string;
  minutes?: number;
  zone?: string;
  all_day?: boolean;
  free?: boolean;
  /** empty: it does not repeat any more */
  rule?: string;
  alarms?: number[];
  shared?: boolean;
}

/**
 * AgendaFeed is the address at which other programs read your agenda. Only the answer that makes it has the
 * address.
 */
export interface AgendaFeed {
  url?: string;
  /** of the URL */
  path?: string;
  created: string;
}

/** AgendaFree is the answer to GET /v1/agenda/free: the first times that are free. */
export interface AgendaFree {
  free: AgendaSlot[];
}

/** AgendaImport is what became of an iCalendar file. */
export interface AgendaImport {
  added: number;
  updated: number;
  unchanged: number;
  skipped?: SkippedAgendaEvent[];
  remarks?: string[];
}

/** AgendaOccurrence is one time that an event happens. */
export interface AgendaOccurrence {
  /** the ID of the event */
  event: string;
  /** names this time of an event that repeats */
  occurrence: string;
  title: string;
  place?: string;
  start: string;
  /** of an event that lasts all day: the midnight after its last day */
  end: string;
  all_day?: boolean;
  /** it takes no time */
  free?: boolean;
  /** the event happens more than once */
  repeats?: boolean;
  /** this time differs from the others */
  changed?: boolean;
  /** the household sees it */
  shared?: boolean;
  /** whose event it is */
  user: string;
}

/** AgendaSlot is a time that is free. */
export interface AgendaSlot {
  start: string;
  end: string;
}

/** Agreed is the body of a commit and of an undo: the digest of what you were shown. */
export interface Agreed {
  shown: string;
  /**
   * `key` makes the request safe to repeat: the same key commits once. The header Idempotency-Key does the same.
   */
  key?: string;
}

/** Alive is the answer to GET /healthz and /readyz. */
export interface Alive {
  ok: boolean;
}

/**
 * An Amount is a part of a budget. In the Spend of an event it has a sign: a reservation is positive, and a
 * settlement is what was used minus what was reserved.
 */
export interface Amount {
  rounds?: number;
  tool_calls?: number;
  tokens?: number;
  /** millionths of the currency unit */
  micros?: number;
  /** time in model and tool calls; waiting for people is free */
  driven_ms?: number;
  /** the root and all runs below it */
  runs?: number;
}

/** An Answer is how an ask ended: what a person decided, or that the time ran out. */
export interface Answer {
  state: AskState;
  /** the answer, the choice, or why it was rejected */
  text?: string;
  /** the edited arguments (any JSON) */
  args?: unknown;
  /** for a plan that is accepted: the mode in which the work continues */
  mode?: Mode;
  /** `scope` is how far an approval goes: once (the default), session or always. The ask must offer it. */
  scope?: RuleScope;
  by?: string;
  /** the shown of the ask that the person read */
  shown?: string;
}

/** Approval says who decides whether a person is asked about a call. */
export type Approval = "never" | "each" | "rules" | "policy" | "question";

/**
 * An Artifact is a file that a tool returns. It becomes a file of the run's session, in place of one of the same
 * name.
 */
export interface Artifact {
  /** reduced to a safe base name */
  name: string;
  /** the media type that the tool declared */
  type?: string;
  /** bytes; rein sets it */
  size: number;
  /** rein sets it */
  sha256?: string;
}

/**
 * An Ask is anything that waits for a person. It stops being pending exactly once, in the transaction of the event
 * that causes it; the process that drives the run only reads it.
 */
export interface Ask {
  id: string;
  /** the run that asks; people see the ask at the root of the tree */
  run: string;
  step: string;
  kind: AskKind;
  text: string;
  /**
   * Say, Reason and Details are parts of the text of an approval whose tool made a sentence of it: the question,
   * why the model wants the call, and what else the tool shows. The text ends with the exact arguments.
   */
  say?: string;
  reason?: string;
  details?: string;
  /** in which it is asked, as BCP 47; missing: English, or not known */
  language?: string;
  choices?: string[];
  /** the call of an approval or an unknown outcome (any JSON) */
  call?: ToolCall;
  /** what edited arguments must satisfy (any JSON) */
  schema?: unknown;
  /** the effect of the call */
  effect?: Effect;
  /** the family of its tool; missing in asks of older programs */
  family?: string;
  /** the call changes what belongs to somebody else; see Shown.Foreign */
  foreign?: boolean;
  /** how rein guessed the call from what the model wrote, if it had to */
  guessed?: string;
  /** for an approval: the call gets something from outside its sandbox, so no flag answers it */
  in_person?: boolean;
  /**
   * for an unknown outcome: the keys of the equal calls that it is about, if it is not about the step's own call
   */
  earlier?: string[];
  /** for an approval: the mode of the run, which did not let the call through; missing: ask */
  mode?: Mode;
  /** for a plan: the modes in which the work can continue; the first is the default */
  modes?: Mode[];
  /** for an approval: what the person can allow beyond this one call */
  offers?: Offers;
  /** a digest of what the person sees; an answer must repeat it */
  shown?: string;
  /** who is asked: a user, or ForAdults; missing: the user of the run */
  for?: string;
  /** for ForAdults: whose run wants it */
  asker?: string;
  /** for ForAdults: the adults when the ask opened */
  asked?: string[];
  state: AskState;
  opened: string;
  deadline?: string;
  on_expiry?: Expiry;
  answer?: Answer;
  closed?: string;
}

/** AskKind is the kind of answer that an ask needs. */
export type AskKind = "question" | "approval" | "confirmation" | "unknown";

/** AskState is the state of an ask. */
export type AskState = "pending" | "approved" | "edited" | "rejected" | "answered" | "declined" | "expired" | "withdrawn";

/** Asks is the answer to GET /v1/asks. */
export interface Asks {
  asks: Ask[];
  /** pass it as after to get the next page; empty: this is the last one */
  next?: string;
}

/** Attempt is the payload of step.attempt. */
export interface Attempt {
  n: number;
  why?: string;
  bound?: Amount;
  /** the tool that is called; the model may have misspelled its name */
  tool?: string;
  /** the arguments, if they differ from those of the call (any JSON) */
  args?: unknown;
  /** how the call was repaired: name, tolerant, coerced or model (all guesses), or person */
  mended?: string;
}

/**
 * A BackgroundCommand is a command that a run started in the background. It goes on after its run, until it ends,
 * somebody stops it, or the process exits.
 */
export interface BackgroundCommand {
  id: string;
  user?: string;
  session?: string;
  run: string;
  /** without secrets */
  command: string;
  /** relative to the workspace */
  folder: string;
  started: string;
  /** when it is ended at the latest */
  until: string;
}

/** BackgroundCommands is the answer to GET /v1/background: the commands that run, the oldest first. */
export interface BackgroundCommands {
  commands: BackgroundCommand[];
}

/**
 * Blocked is the payload of run.blocked: this program cannot replay the run. Nothing is lost. You can resume the
 * run with a program that fits its log, stop it, or delete it.
 */
export interface Blocked {
  reason: string;
  step?: string;
  was?: string;
  now?: string;
}

/** A Blocker is something that could make a run, or a run below it, wait for a person. */
export interface Blocker {
  kind: AskKind;
  /** the tool, or for a question that the flow itself asks, the flow's phase */
  what: string;
  why: string;
  /** `waits` is how long it waits; 0 means without a limit (nanoseconds) */
  waits?: number;
  /**
   * `on_expiry` is what happens then: continue, deny (the call is not made) or stop. Park means that it waits until
   * someone answers.
   */
  on_expiry: Expiry;
}

/**
 * A Branch names the run at which a session leaves another one: what was said before that run is a part of both.
 */
export interface Branch {
  session: string;
  run: string;
}

/** A BranchPoint is a run beside which other sessions go another way. */
export interface BranchPoint {
  /** the run of this conversation */
  run: string;
  /** the original first, then the branches in the order in which they were made */
  siblings: Sibling[];
}

/** Branches is the answer to GET /v1/sessions/{id}/branches. */
export interface Branches {
  /** in the order of the conversation */
  points: BranchPoint[];
}

/** A BroughtFile is a file that a folder brings. */
export interface BroughtFile {
  /** in the workspace */
  path: string;
  /** instructions, rule, skill, program, command or mcp servers */
  kind: string;
  /** its SHA-256 */
  sum: string;
  size: number;
  /** how the text begins; only for admins */
  head?: string;
}

/** A Budget limits what a tree of runs may use, and how deep the tree may become. */
export interface Budget {
  rounds?: number;
  tool_calls?: number;
  tokens?: number;
  /** millionths of the currency unit */
  micros?: number;
  /** time in model and tool calls; waiting for people is free */
  driven_ms?: number;
  /** the root and all runs below it */
  runs?: number;
  /** 0: no children */
  depth: number;
}

/** A CallSet is a set of calls: those of these families of tools that have one of these effects. */
export interface CallSet {
  /** AllFamilies means every family */
  families?: string[];
  effects?: Effect[];
}

/** Calls is how many model calls a user, or a household as a whole, is making now. */
export interface Calls {
  household: string;
  user?: string;
  under_way: number;
  /** calls that wait for their turn */
  waiting: number;
  /** how many calls the process makes at the same time, for all households */
  most: number;
}

/** CameBy says how a device got in. */
export type CameBy = "link" | "code" | "invite";

/** Change is one change to the users, tokens or logins of a household. It has no secrets. */
export interface Change {
  /** its number; later changes have higher ones */
  n: number;
  at: string;
  /** the user who did it */
  by: string;
  /** how the user was identified, as in Me */
  via: string;
  what: ChangeKind;
  /** the user that was changed */
  on: string;
  detail?: string;
}

/** ChangeKind is the kind of a change. */
export type ChangeKind = "user added" | "role set" | "user disabled" | "user enabled" | "token made" | "token revoked" | "login link made" | "pairing code made" | "logged in" | "logged out" | "invited" | "invite revoked" | "joined" | "erased" | "rule revoked" | "secret set" | "secret removed" | "folder trusted" | "folder not trusted" | "trust revoked";

/** ChangedJob is the body of PATCH /v1/schedules/{job}. What is missing stays as it is. */
export interface ChangedJob {
  label?: string;
  schedule?: JobSchedule;
  target?: JobTarget;
  payload?: JobPayload;
  catch_up?: JobCatchUp;
  overlap?: JobOverlap;
  spend?: number;
  enabled?: boolean;
  /** if it is set and the job has another one, the answer is 409 */
  version?: number;
}

/** ChangedList is the body of PATCH /v1/lists/{list}. */
export interface ChangedList {
  name: string;
}

/** ChangedListItem is the body of PATCH /v1/lists/{list}/items/{item}. What is missing stays. */
export interface ChangedListItem {
  text?: string;
  /** 0: nobody says how much any more */
  amount?: number;
  unit?: string;
  category?: string;
  done?: boolean;
  /** the number of the item that it goes after; 0: it becomes the first */
  after?: number;
  /** that the item has as far as you know; if it has another one now, nothing is changed (409) */
  version?: number;
}

/** ChangedMemory is the body of PATCH /v1/memories/{id}. What is missing stays. */
export interface ChangedMemory {
  text?: string;
  kind?: string;
  about?: string;
  household?: boolean;
  /** that the memory has as far as you know; if it has another one now, nothing is changed (409) */
  version?: string;
}

/** ChangedSession is the body of PATCH /v1/sessions/{id}. Fields that you leave out stay as they are. */
export interface ChangedSession {
  /** one line; empty: the title of its first run */
  title?: string;
  pinned?: boolean;
  archived?: boolean;
}

/** ChangedUser is the body of PATCH /v1/users/{name}. Fields that you leave out stay as they are. */
export interface ChangedUser {
  role?: UserRole;
  disabled?: boolean;
}

/** Changes is the answer to GET /v1/changes. */
export interface Changes {
  /** oldest first */
  changes: Change[];
  /** pass it as after to get the next page; 0: this is the last one */
  next?: number;
}

/** A Channel is one place where you get messages: an address of mail, a browser, a chat, a webhook. */
export interface Channel {
  id: string;
  /** mail, push, telegram or webhook */
  kind: string;
  /** an address of mail; of a browser and a webhook only where it is */
  address?: string;
  /** what you call it */
  label?: string;
  /** kinds of messages that do not go there */
  muted: string[];
  /** since when it is yours; empty: not yet, and nothing is sent there */
  verified?: string;
  /** since when it takes no messages any more; empty: it does */
  gone?: string;
  /** why it is gone */
  why?: string;
  created: string;
}

/** ChannelChange is the body of PATCH /v1/channels/{id}. */
export interface ChannelChange {
  /** kinds of messages that do not go there; empty: all go there */
  muted: string[];
}

/** ChannelCode is the body of POST /v1/channels/{id}/verify. */
export interface ChannelCode {
  /** what was sent to the channel */
  code: string;
}

/** Channels is the answer to GET /v1/channels: where you get messages outside of rein, the oldest first. */
export interface Channels {
  channels: Channel[];
}

/** CheckState is what a checkable tool knows about an earlier call. */
export type CheckState = "happened" | "not" | "unknown";

/** Checked is the payload of step.checked. */
export interface Checked {
  state: CheckState;
  error?: string;
  /**
   * `of` has the keys of earlier calls, if a person decided about them (see earlier in Ask). Empty: the tool
   * answered for the step's own call.
   */
  of?: string[];
}

/**
 * A Checkpoint is one hash over everything at a moment: the ID, sequence number and hash of every run, the newest
 * entry of the chain of records about people, and the previous checkpoint. If you keep the head elsewhere, you can
 * prove later that all of these are still there. Erasing payloads does not change them, and nothing else removes a
 * run.
 */
export interface Checkpoint {
  n: number;
  made: string;
  runs: number;
  /** how many entries the chain has */
  people: number;
  head: string;
}

/** Code sorts errors by what a caller can do about them. */
export type Code = "invalid" | "not_found" | "conflict" | "finished" | "closed" | "forbidden" | "unauthenticated" | "busy" | "stale" | "unseen" | "budget" | "limit" | "quota" | "stopped" | "cancelled" | "deleted" | "paused" | "interrupted" | "timeout" | "provider" | "overloaded" | "unreachable" | "rate_limited" | "too_long" | "unauthorized" | "unknown" | "damaged" | "newer" | "locked" | "read_only" | "disk_full" | "unavailable" | "internal";

/**
 * A Command is what a person sends to a run. Sending the same key again returns the first receipt and does nothing
 * else.
 */
export interface Command {
  kind: CommandKind;
  run?: string;
  /** a key that the sender chooses; empty: rein makes one */
  key?: string;
  by?: string;
  /** the text of a message, modify or comment; for other commands, the reason */
  text?: string;
  /** for answer and expire */
  ask?: string;
  /** for answer */
  answer?: Answer;
  /** for mode */
  mode?: Mode;
  /** the command to an ancestor that caused this one */
  cause?: string;
  /** the run of the same tree that sent the message; empty: a person did */
  from?: string;
  /** for child: the run that ended */
  child?: string;
  /** for child: how it ended */
  end?: End;
}

/** CommandKind is the kind of a command. */
export type CommandKind = "answer" | "message" | "stop" | "cancel" | "delete" | "modify" | "comment" | "pause" | "resume" | "mode" | "expire" | "child";

/**
 * Compact says when a history is too long, and how much of it stays as it is. A field that is 0 has its default.
 */
export interface Compact {
  /** how many messages a prompt has at most */
  messages?: number;
  /** which share of the model's window a prompt uses at most */
  share?: number;
  /** how many of the newest messages stay */
  keep?: number;
}

/** Defaults are what a task gets that leaves them out. */
export interface Defaults {
  /** of the tree */
  budget: Budget;
  /** of a new session */
  mode: Mode;
  /** the loosest mode that a session can have */
  loosest: Mode;
}

/** Deliveries is the state of the deliveries to webhooks. */
export interface Deliveries {
  targets: TargetStatus[];
  /** the newest first */
  deliveries: Delivery[];
}

/** A Delivery is one message to one webhook. */
export interface Delivery {
  /** the same for every attempt */
  id: string;
  target: string;
  kind: WebhookEvent;
  household: string;
  user: string;
  run: string;
  ask?: string;
  state: State;
  tries: number;
  created: string;
  changed: string;
  /** for a waiting delivery: when the next attempt is */
  next?: string;
  /** why the last attempt failed */
  error?: string;
}

/**
 * A Delta is a piece of text that a model is writing. rein shows it and does not store it: the whole text is in the
 * event step.done. If the attempt is higher than before, the text starts again.
 */
export interface Delta {
  run: string;
  step: string;
  attempt: number;
  /** how many bytes of the text come before this piece */
  offset: number;
  text: string;
  /** `output` says that a tool wrote it while its call goes on, and not a model. It is nowhere recorded. */
  output?: boolean;
}

/** A Device is a browser that is logged in. */
export interface Device {
  id: string;
  user: string;
  /** what it said it is, such as "Firefox on Android" */
  label?: string;
  /** how it got in */
  came_by?: CameBy;
  created: string;
  /** to the minute */
  last_seen: string;
  expires: string;
  /** the browser that asks */
  this?: boolean;
}

/** Devices is the answer to GET /v1/devices. */
export interface Devices {
  devices: Device[];
}

/** A Difference is a place at which a replay is not what was recorded. */
export interface Difference {
  run: string;
  step?: string;
  /** the kind of the event, and the field of it that differs */
  what: string;
  /** empty: nothing */
  was?: string;
  is?: string;
}

/** Discard is the body of POST /v1/notes/staged/{session}/discard. */
export interface Discard {
  /** empty: everything that the session has staged */
  paths?: string[];
}

/** Discarded is the answer to POST /v1/notes/staged/{session}/discard. */
export interface Discarded {
  discarded: string[];
}

/** Doing is a step that a run is working on, in words for people. */
export interface Doing {
  step: string;
  /** decide, reason, observe, plan, final … */
  phase?: string;
  /** 1, 2, 3 …: the turn of the flow's loop */
  round?: number;
  /** "Searching… K=20" */
  human?: string;
  /** for a tool call */
  tool?: string;
  /** for a spawn or a wait */
  child?: string;
  since: string;
}

/**
 * Effect says what a tool does to the world, and so what rein may do with a call whose outcome a crash has hidden.
 */
export type Effect = "pure" | "idempotent" | "checkable" | "unsafe";

/** End says why a run ended. */
export type End = "done" | "limit" | "declined" | "stopped" | "cancelled" | "deleted" | "failed";

/** An Entry is a file of the vault. The path of a folder that is left out ends in "/". */
export interface Entry {
  path: string;
  indexed: boolean;
  /** why it is not indexed */
  why?: string;
  title?: string;
  tags?: string[];
  lang?: string;
  pieces?: number;
  size?: number;
  changed?: string;
  problems?: string[];
}

/** Erasure is the answer to GET and POST /v1/erasures: everything that is erased together. */
export interface Erasure {
  run?: string;
  session?: string;
  user?: string;
  /** empty: nothing is left to erase */
  items: Thing[];
  /** `left` counts the runs of other users that quote the target. They stay, because you may not erase them. */
  left?: number;
  /** `shown` is the digest of this list. POST /v1/erasures must repeat it. */
  shown: string;
}

/**
 * An Event is one line of a run's log. Seq is its number within the run. Data is the payload; it may have been
 * erased. Hash covers everything else and the digest of the payload, and chains the event to the previous one.
 */
export interface Event {
  run: string;
  seq: number;
  at: string;
  kind: Kind;
  step?: string;
  by?: string;
  /** the change to what the tree of runs has used */
  spend?: Amount;
  /** any JSON */
  data?: unknown;
  erased?: boolean;
  hash: string;
}

/**
 * Evidence says what the data of a result is, for flows that check citations. Only the tool knows: how a text looks
 * proves nothing, because whoever wrote it chose how it looks.
 */
export type Evidence = "none" | "hits" | "note" | "file" | "unsaid";

/** Expiry says what happens when nobody answers in time. */
export type Expiry = "continue" | "deny" | "stop" | "park";

/** A Failure is an error in a log. */
export interface Failure {
  code: Code;
  msg: string;
  dim?: string;
}

/** Feedback is what one user thinks of a run. */
export interface Feedback {
  user: string;
  rating: Rating;
  comment?: string;
  at: string;
}

/** FeedbackList is the answer to GET and PUT /v1/runs/{id}/feedback. */
export interface FeedbackList {
  /** by user */
  feedback: Feedback[];
}

/** A Field is one setting of a flow. */
export interface Field {
  name: string;
  type: FieldType;
  /** `default` is what holds if a task does not set it (any JSON) */
  default: unknown;
  /** of a number; a smaller one is raised to it */
  min?: number;
  /** of a number, under the ceilings of the server; a greater one is lowered to it */
  max?: number;
  /** of a string: it must be one of these */
  choices?: string[];
  about: string;
}

/** FieldType is the JSON type of a setting. */
export type FieldType = "integer" | "number" | "boolean" | "string";

/** A File describes a file, without its content. */
export interface File {
  name: string;
  /** the media type that the sender declared */
  type: string;
  /** it is text: UTF-8 without control characters */
  text: boolean;
  /** bytes */
  size: number;
  sha256: string;
  /** 1, 2, 3 …: each replaces the one before */
  version: number;
  created: string;
  changed: string;
  /** the run whose tool wrote it; empty: a person uploaded it */
  run?: string;
  step?: string;
}

/**
 * A FileChange is what one call changed, in files of a workspace or in notes. To undo it, start a run of the flow
 * undo in its session, with the settings run and step: the run shows the diff and asks.
 */
export interface FileChange {
  /** RUN:STEP */
  id: string;
  run?: string;
  step?: string;
  session?: string;
  workspace?: string;
  tool: string;
  at: string;
  /** nobody saw the call end */
  cut?: boolean;
  /** `background` says that it is what changed while a command ran in the background, whoever changed it. */
  background?: boolean;
  notes?: boolean;
  files: FileState[];
  undoes?: string[];
  undone_by?: string;
  /** `undoable` says that it was not undone, as far as is known without looking at the files. */
  undoable: boolean;
}

/** FileChanges is the answer to GET /v1/undoable and GET /v1/runs/{id}/changes, the newest first. */
export interface FileChanges {
  changes: FileChange[];
}

/** A FileState is what became of one file. */
export interface FileState {
  path: string;
  /** new, changed or removed */
  became: string;
}

/** Files is the answer to GET /v1/sessions/{id}/files. */
export interface Files {
  files: File[];
}

/** A Flow is a way of working that a run can use. */
export interface Flow {
  name: string;
  about: string;
  default?: boolean;
  /** the defaults, for what a task does not set (any JSON) */
  settings: unknown;
  /** what the settings of a task can set */
  fields: Field[];
  /** the tools that each run has, beside those that its task names */
  tools: string[];
  /** the tools that a run has, beside those, if its task names none */
  usual: string[];
}

/** Flows is the answer to GET /v1/flows. */
export interface Flows {
  flows: Flow[];
  /** what a run of any flow gets, if its task does not say */
  defaults: Defaults;
}

/** Folded names the messages of a prompt that a summary replaces. */
export interface Folded {
  from: number;
  /** the first message that stays */
  to: number;
  /** the digest of the messages */
  digest: string;
  /** how long the prompt was, with earlier summaries in it */
  length: number;
  /**
   * For a summary of whole earlier runs, which later runs of the session use again: which runs, and the earlier
   * summary that it includes.
   */
  runs?: string[];
  base?: string;
}

/**
 * A FoldedPart names the messages of a prompt that a summary replaced when it was sent. Those among them that say
 * what the run is to do were sent beside the summary.
 */
export interface FoldedPart {
  from: number;
  /** the first message that stayed */
  to: number;
  /** empty: another branch of the run made it */
  summary?: string;
}

/** ForgottenMemory is the answer to DELETE /v1/memories/{id}: what is gone. */
export interface ForgottenMemory {
  id: string;
  /** memories that it had replaced, which are gone with it */
  before: number;
  /** summaries of conversations that quoted it: they lost those lines, or are gone */
  summaries: number;
  /** notes of how things are now that quoted it */
  snapshots: number;
}

/**
 * A Fork names the step at which a run leaves the course of another run. Before that step, it gets the same results
 * from models, tools and people.
 */
export interface Fork {
  run: string;
  step: string;
  /** the result of the step, as a StepEnd; empty: the step runs again (any JSON) */
  edit?: unknown;
  /**
   * `allow` lists the tools that may change something after the step. Other tools that change something are not
   * run.
   */
  allow?: string[];
  /**
   * `mode` is the loosest mode that the fork takes over from what people set in the other run before the step;
   * missing: ask.
   */
  mode?: Mode;
}

/** From says where a tool comes from. */
export type From = "rein" | "program";

/** Health is the answer to GET /v1/health. */
export interface Health {
  version: string;
  pid: number;
  /** the data folder of the process; it and pid are only for admins */
  data: string;
  started: string;
  /** how many runs are in memory */
  live: number;
  /** the address on the network, if it has one */
  url?: string;
  /**
   * `settings` says what is wrong with the newest version of the settings, for admins. Until it is fixed, the
   * previous version applies.
   */
  settings?: string;
  /** changed settings that apply after a restart, for admins */
  restart?: string[];
  /**
   * `check` reports on the check of the database that follows an unclean end, for admins: how far it is, or what it
   * found wrong. Nothing is written to a database that is damaged.
   */
  check?: string;
}

/**
 * A Hint says that something of yours has changed, and not what: read it again. GET /v1/live sends one whenever it
 * can, with all that changed since the previous one.
 */
export interface Hint {
  /** anything may have changed: with StreamHello */
  hello?: boolean;
  /** the roots of the runs that changed, or have a run below them that did */
  runs?: string[];
  /** an ask was opened or closed */
  asks?: boolean;
  /** sessions that changed */
  sessions?: string[];
  /** `household` lists what changed of the things that you have, or share with your household, outside of runs. */
  household?: Topic[];
}

/** A Hit is a passage of a note. */
export interface Hit {
  path: string;
  section?: string;
  score: number;
  snippet: string;
  title?: string;
  /** in characters of the note */
  start: number;
  end: number;
  /** the hash of the passage as it was indexed */
  hash?: string;
  /** the "^id" of the block that the snippet comes from; read and cite it like a section */
  block?: string;
  /** it is a file and not a note, found by its name */
  file?: boolean;
  why?: Parts;
}

/**
 * Hook is a webhook of yours, for both ways: messages go to its URL, and your programs talk to your assistant
 * through it.
 */
export interface Hook {
  id: string;
  label?: string;
  /** where messages go; empty: nowhere. The path is not shown, because it may be a secret */
  host?: string;
  /** it may answer asks */
  answers: boolean;
  created: string;
}

/** HookReceipt is the answer to POST /v1/hooks/{id}. */
export interface HookReceipt {
  id: string;
  /** the run that the text began or reached */
  run?: string;
  /** what the ask is now */
  answered?: AskState;
  /** it came before; this is what was answered then */
  again?: boolean;
}

/** HookRequest is the body of POST /v1/hooks/{id}: a text for the assistant, or the answer to an ask. */
export interface HookRequest {
  /** names the request: the same ID again is the same request */
  id: string;
  /** for the assistant */
  text?: string;
  /** what is answered */
  ask?: string;
  /** its shown, as it was read */
  shown?: string;
  /** yes, no, a choice, or the answer to a question */
  answer?: string;
}

/** Hooks is the answer to GET /v1/hooks. */
export interface Hooks {
  /** the oldest first */
  hooks: Hook[];
}

/** Household is the answer to GET /v1/household: yours, with what its roles may do. */
export interface Household {
  name: string;
  /** the strongest first */
  roles: Rights[];
}

/** HouseholdInfo is a household as whoever runs the server sees it. */
export interface HouseholdInfo {
  name: string;
  /** that are not disabled */
  users: number;
  /** of them */
  owners: string[];
}

/** Households is the answer to GET /v1/households. */
export interface Households {
  households: HouseholdInfo[];
}

/**
 * An Image is for a model that can see. It has data, a URL, or the hash of what a log keeps. A log names an image
 * by its hash and does not hold the image itself: the store keeps each content once per household, for as long as a
 * run that has it is not erased. So an image that comes from a log has no data. A model gets the data with
 * [ModelRequest.Image].
 */
export interface Image {
  /** image/png … */
  type?: string;
  /** the name of the file that it comes from, if there is one */
  name?: string;
  data?: string;
  url?: string;
  /** the hash of the data */
  sha256?: string;
  /** bytes */
  size?: number;
  /** pixels */
  width?: number;
  height?: number;
}

/** Intent is the payload of step.intent. */
export interface Intent {
  /** missing in older logs */
  tool?: string;
  effect: Effect;
  /** the idempotency key that the tool gets */
  key: string;
  /** the arguments that the tool gets (any JSON) */
  args?: unknown;
  /** nanoseconds */
  timeout: number;
  /** for an approved call: the digest of what was approved, as in Ask */
  shown?: string;
  /**
   * `earlier` has the keys of equal calls whose outcome was unknown when a person decided to make this call anyway.
   * If this call succeeds, they no longer matter.
   */
  earlier?: string[];
  /**
   * `allowed` says why the call was made: "ask" (a person agreed to it), "policy", "rule" (the tool's ruling),
   * "mode edits" or "mode sandbox", or "tool" (it asks nobody). Missing in older logs.
   */
  allowed?: string;
  /** the mode in which that was decided; missing: ask */
  mode?: Mode;
}

/** An Invite lets one person join a household. Lists show it without its secret. */
export interface Invite {
  id: string;
  household: string;
  /** of the user that it makes */
  role: UserRole;
  /** the name of that user; empty: whoever comes chooses it */
  user?: string;
  /** who invited */
  by: string;
  created: string;
  expires: string;
  used?: string;
}

/** Invites is the answer to GET /v1/invites. */
export interface Invites {
  invites: Invite[];
}

/** An Item is something that a person, or another run of the tree, sent to a run, as Inbox returns it. */
export interface Item {
  /** message or modify */
  kind: CommandKind;
  by?: string;
  command: string;
  text: string;
  /** it was sent to an ancestor of this run */
  cause?: string;
  /** the run of the same tree that sent it; empty: a person did */
  from?: string;
}

/** A Job is something that rein does later for you: once, at an interval, or by a cron expression. */
export interface Job {
  id: string;
  label: string;
  schedule: JobSchedule;
  target: JobTarget;
  payload: JobPayload;
  /** `catch_up` is what happens to times that were missed while rein did not run. */
  catch_up: JobCatchUp;
  /** `overlap` is what happens when the run before has not ended. */
  overlap: JobOverlap;
  /**
   * `spend` is the most money that its runs may cost in 30 days, in millionths of the currency unit; missing: no
   * limit of its own.
   */
  spend?: number;
  /** in words of your language */
  when: string;
  /** when it fires next; missing: never again */
  next?: string;
  /** the next times, of one job alone */
  coming?: string[];
  /** `waits_for` names what may make its run wait for you, of one job alone. */
  waits_for?: string[];
  /** in a row */
  failures?: number;
  /** missing: it is not */
  disabled?: string;
  /** it is disabled */
  why?: string;
  /** in which it was made */
  session?: string;
  /** that made it; missing: a person did */
  run?: string;
  created: string;
  /** grows with each change */
  version: number;
}

/** JobCatchUp is what happens to times that were missed. */
export type JobCatchUp = "skip" | "once" | "all";

/** JobKind is the kind of a schedule. */
export type JobKind = "at" | "every" | "cron";

/** JobOverlap is what happens when the run before has not ended. */
export type JobOverlap = "skip" | "queue" | "allow";

/** A JobPayload says what a job does. */
export interface JobPayload {
  /** missing in a request: what the target means */
  kind?: JobPayloadKind;
  /** the message, or what the run is to do */
  text?: string;
  /** `flow` and Budget are those of the run of an agentTurn; missing: the default ones. */
  flow?: string;
  budget?: Budget;
}

/** JobPayloadKind is the kind of a payload. */
export type JobPayloadKind = "systemEvent" | "agentTurn";

/** A JobRun is one time of a job. */
export interface JobRun {
  /** when it was due */
  at: string;
  state: JobRunState;
  run?: string;
  /** when rein came to it */
  fired: string;
  /** missing: it has not */
  ended?: string;
  /** why it failed or was skipped */
  error?: string;
  /** how many earlier times it stands for */
  missed?: number;
  /** what its run cost */
  micros?: number;
}

/** JobRunState is how far one time of a job is. */
export type JobRunState = "due" | "started" | "done" | "failed" | "skipped";

/** JobRuns is the answer to GET /v1/schedules/{job}/runs: when a job fired, or was to, the newest first. */
export interface JobRuns {
  runs: JobRun[];
}

/** A JobSchedule says when a job fires. Exactly one of at, every and expression is set. */
export interface JobSchedule {
  /** `kind` is at, every or cron; missing in a request: what the other fields mean. */
  kind?: JobKind;
  /** `at` is a time on the clock of the zone, such as 2026-11-21T09:00, or one with an offset. */
  at?: string;
  /** `every` is an interval: seconds, or a number with a unit, such as 90s, 15m, 2h or 1d; at least 60 seconds. */
  every?: string;
  /** `expression` has five fields: minute, hour, day of the month, month, day of the week. */
  expression?: string;
  /** an IANA name; missing in a request: the zone of the settings */
  tz?: string;
}

/** JobTarget is where a job does its work. */
export type JobTarget = "main" | "isolated";

/** Kind is the kind of an event. */
export type Kind = "run.started" | "run.parked" | "run.blocked" | "run.resumed" | "step.started" | "step.attempt" | "step.renewed" | "step.waiting" | "step.intent" | "step.checked" | "step.done" | "ask.opened" | "sub.started" | "sub.done" | "run.completed" | "run.stopped" | "run.failed" | "command.answer" | "command.message" | "command.stop" | "command.cancel" | "command.delete" | "command.modify" | "command.comment" | "command.pause" | "command.resume" | "command.mode" | "command.expire" | "command.child";

/** A Ledger is the account of one tree of runs: the sum of the Spend of all its events. */
export interface Ledger {
  root: string;
  cap: Budget;
  /** used and reserved */
  used: Amount;
  /** the part of used that providers reported beyond what was reserved */
  overrun?: Amount;
}

/** Limits is the answer to GET /v1/limits. */
export interface Limits {
  /** the largest budget that a run may ask for */
  run: Budget;
  /** your account; for admins, the household's first and then each user's */
  accounts: Account[];
  /** current model calls, in the same order */
  calls: Calls[];
}

/**
 * A Line of a feed is an event of the log or a piece of text that a model is writing, never both. Only events have
 * a cursor. It names the place after the event: if you continue from there, you get what comes next.
 */
export interface Line {
  cursor?: string;
  event?: Event;
  delta?: Delta;
  /**
   * `resync` says why your cursor is not valid here. The line has nothing else. The feed starts again from its
   * beginning, so forget what you read before.
   */
  resync?: string;
}

/** Lines is the answer to GET /v1/runs/{id}/events without a stream. */
export interface Lines {
  lines: Line[];
  /** the cursor after the last line; without lines, the cursor that you gave */
  next: string;
  /** there is more to read already */
  more: boolean;
}

/** Links is the answer to GET /v1/notes/links: the links of a note in both directions, and related notes. */
export interface Links {
  path: string;
  /** notes that it links to */
  links: Ref[];
  /** links that lead to no note, as written */
  missing?: string[];
  /** notes that link to it */
  backlinks: Ref[];
  /** similar notes that are not linked with it, the nearest first */
  related: Ref[];
}

/** A List is a list that your household shares, or one of yours alone. */
export interface List {
  id: string;
  name: string;
  /** it is the household's list of groceries */
  groceries?: boolean;
  /** only you see it */
  private?: boolean;
  /** empty: they were erased */
  maker?: string;
  /** how many items are not done */
  left: number;
  total: number;
  /** grows with each change of the list or of an item */
  version: number;
  created: string;
  changed: string;
  /** in their order */
  items?: ListItem[];
}

/** A ListItem is one thing on a list. */
export interface ListItem {
  id: string;
  /** within its list; no other item ever has it */
  number: number;
  text: string;
  /** missing: nobody said how much */
  amount?: number;
  unit?: string;
  category?: string;
  /** who added it */
  by: string;
  added: string;
  done_by?: string;
  /** missing: it is not done */
  done?: string;
  version: number;
}

/** Lists is the answer to GET /v1/lists: groceries first, then by name. Their items are left out. */
export interface Lists {
  lists: List[];
}

/**
 * LoginLink is the answer to POST /v1/users/{name}/link. The link logs a browser in once, and expires soon. It is a
 * path and query; put the address of the server before it.
 */
export interface LoginLink {
  link: string;
}

/** MCPLogin is where a browser has to go to log in; empty: you are logged in. */
export interface MCPLogin {
  url: string;
}

/** MCPReport is what a test of an MCP server found. */
export interface MCPReport {
  name: string;
  /** stdio: a program on the machine of the server; http: it is called over HTTP */
  kind: string;
  /** settings, added or workspace */
  from: string;
  /** `command` and URL say how it is reached. Only admins of the household that owns the server see them. */
  command?: string[];
  url?: string;
  /** idle (the next call connects), connected, or failed */
  state: string;
  /** why it failed */
  error?: string;
  /** `next` is when a failed server is tried again. */
  next?: string;
  /** each person logs in */
  login?: boolean;
  /** you are */
  logged_in?: boolean;
  tools: MCPTool[];
  /** the server's own name and version */
  title?: string;
  /** the version of MCP */
  protocol?: string;
  /** what cannot be used, and why */
  wrong?: string[];
  resources?: string[];
  prompts?: string[];
}

/** An MCPServer is an MCP server whose tools runs can use. */
export interface MCPServer {
  name: string;
  /** stdio: a program on the machine of the server; http: it is called over HTTP */
  kind: string;
  /** settings, added or workspace */
  from: string;
  /** `command` and URL say how it is reached. Only admins of the household that owns the server see them. */
  command?: string[];
  url?: string;
  /** idle (the next call connects), connected, or failed */
  state: string;
  /** why it failed */
  error?: string;
  /** `next` is when a failed server is tried again. */
  next?: string;
  /** each person logs in */
  login?: boolean;
  /** you are */
  logged_in?: boolean;
  tools: MCPTool[];
}

/** MCPServers is the answer to GET /v1/mcp. */
export interface MCPServers {
  servers: MCPServer[];
}

/** An MCPTool is a tool of an MCP server. */
export interface MCPTool {
  /** in rein */
  name: string;
  /** on the server */
  native: string;
  about?: string;
  effect: Effect;
  /** a call can wait for a person's approval */
  asks?: boolean;
  /** the settings deny it */
  denied?: boolean;
  /** of its definition; approvals hold for this definition only */
  hash: string;
  /**
   * `changed` says that the server has changed the definition since it was accepted, so the settings do not hold
   * for it.
   */
  changed?: boolean;
  /** the server does not list it any more */
  gone?: boolean;
}

/** MadeHook is the answer to POST /v1/hooks. Nothing shows the secret again. */
export interface MadeHook {
  id: string;
  label?: string;
  /** where messages go; empty: nowhere. The path is not shown, because it may be a secret */
  host?: string;
  /** it may answer asks */
  answers: boolean;
  created: string;
  /** what both ways are signed with */
  secret: string;
}

/**
 * MadeHousehold is the answer to POST /v1/households. The link logs the owner in once, and expires soon; see
 * LoginLink.
 */
export interface MadeHousehold {
  owner: User;
  link: string;
}

/**
 * MadeInvite is the answer to POST /v1/invites. Only this answer has the link. It is a path and query; put the
 * address of the server before it.
 */
export interface MadeInvite {
  id: string;
  household: string;
  /** of the user that it makes */
  role: UserRole;
  /** the name of that user; empty: whoever comes chooses it */
  user?: string;
  /** who invited */
  by: string;
  created: string;
  expires: string;
  used?: string;
  link: string;
}

/** MadePairing is the answer to POST /v1/pairings. Only this answer has the code. People type it at /pair. */
export interface MadePairing {
  user: string;
  expires: string;
  code: string;
}

/** MadeToken is the answer to POST /v1/tokens. Only this answer has the token itself. */
export interface MadeToken {
  id: string;
  user: string;
  /** what it is for */
  label: string;
  scopes: Scope[];
  created: string;
  expires: string;
  revoked?: string;
  /** to the minute */
  last_used?: string;
  text: string;
}

/** Me is the answer to GET /v1/me. */
export interface Me {
  household: string;
  user: string;
  role: UserRole;
  scopes: Scope[];
  /** `via` says how the sender was identified, for audit and limits: "socket", "token:ID" or "browser:ID". */
  via: string;
  /**
   * `csrf` is what a browser must send as X-CSRF-Token with a request that changes something; empty if you are not
   * in a browser.
   */
  csrf?: string;
  /**
   * `currency` is that of all amounts of money here, which are in millionths of its unit: three capital letters, as
   * ISO 4217 has them. Empty: it is not known, or not all prices are in one currency.
   */
  currency?: string;
  /**
   * `rights` are what you may approve, which tools your runs get, and what you may spend in a day because of your
   * role; empty if the server has no users.
   */
  rights?: Rights;
}

/**
 * Memories is the answer to GET /v1/memories: yours, the newest first, and after them what others said for everyone
 * at home. With a search the best come first.
 */
export interface Memories {
  memories: Memory[];
}

/** A Memory is something lasting that rein knows about a person. */
export interface Memory {
  id: string;
  /** whose it is */
  user: string;
  text: string;
  /** fact, preference, person or plan */
  kind: string;
  /** the subject: of two memories with one subject the newer holds */
  about?: string;
  /** everyone at home reads it; else only its user */
  household?: boolean;
  /** the user who said so or agreed to it; empty: a run noted it */
  said_by?: string;
  /** the run in which it was said; empty: none, or not yours */
  source?: string;
  /** when it was said */
  at: string;
  /** when a person changed it */
  edited?: string;
  /** another one with each change */
  version: string;
  /** `replaced_by` is the memory that took its place, because it says something newer about the same. */
  replaced_by?: string;
  /** what it replaced, the newest first, if it is yours */
  before?: Memory[];
}

/** A MemoryCount says how much rein knows about a user. */
export interface MemoryCount {
  user: string;
  /** including those that were replaced */
  memories: number;
  preferences: number;
  snapshots: number;
  summaries: number;
}

/**
 * MemoryCounts is the answer to GET /v1/memory/counts: how much rein knows about you or, if you are an admin, about
 * each user of your household. Only the user sees what it is.
 */
export interface MemoryCounts {
  users: MemoryCount[];
}

/**
 * MemoryExport is the answer to GET /v1/memory/export: all that rein knows about you, apart from the logs of your
 * runs.
 */
export interface MemoryExport {
  household: string;
  user: string;
  at: string;
  /** yours, including those that were replaced */
  memories: Memory[];
  preferences: Preference[];
  snapshots: MemorySnapshot[];
  summaries: MemorySummary[];
}

/** A MemorySnapshot is a note of how things are now, which will change soon. */
export interface MemorySnapshot {
  text: string;
  /** everyone at home reads it */
  household?: boolean;
  source?: string;
  at: string;
  expires: string;
}

/** A MemorySummary says what a conversation or a day was about. */
export interface MemorySummary {
  /** session or day */
  kind: string;
  /** the session's ID, or the day */
  about: string;
  text: string;
  from: string;
  /** when it ended */
  at: string;
}

/**
 * A Message is one entry of a transcript. An assistant message with calls is followed by one tool message per call,
 * in the same order.
 */
export interface Message {
  role: Role;
  text?: string;
  calls?: ToolCall[];
  /** for a tool message: the call that it answers */
  call_id?: string;
  /** for a tool message: the status of the call */
  status?: ToolStatus;
  /**
   * `from_person` says, for a tool message, that the text is a person's own words. Any other result is outside
   * text, and the model is instructed not to obey it.
   */
  from_person?: boolean;
  /** what rein adds to a result */
  note?: string;
  /** for a message of a user or a tool */
  images?: Image[];
  /** `past` is set if the message comes from an earlier run of the session. */
  past?: Past;
  /**
   * `raw` is, for a message of an assistant, the reply as the provider wrote it, with parts that only that provider
   * can read; rein sends it back unchanged.
   */
  raw?: Raw;
  /** for a message of an assistant: why the reply was cut off, if it was */
  stop?: Stop;
}

/** MessagePreferences are how you want your messages. */
export interface MessagePreferences {
  /** when messages wait, unless they are urgent */
  quiet: QuietHours[];
  /** the time zone of the quiet hours, such as Europe/Amsterdam; empty: that of the settings */
  zone?: string;
  /** the language of what rein adds to a message, such as nl; empty: that of the settings */
  language?: string;
}

/** Messages is the answer to GET /v1/messages: your messages, the newest first. */
export interface Messages {
  messages: PostedMessage[];
  /** the before of the next page; empty: this is the last one */
  next?: string;
}

/**
 * A Mode says how much of a session's work waits for a person. It never allows what a policy or a ruling denies,
 * nor what a policy asks for by name. People set it; no model, tool or memory can.
 */
export type Mode = "plan" | "ask" | "edits" | "sandbox";

/** A Model is a model that runs can use. */
export interface Model {
  name: string;
  kind: string;
  default?: boolean;
  /** how many tokens fit; 0: unknown */
  window?: number;
  /** how many tokens one answer can have; 0: unknown */
  output?: number;
  /** the price of a million input tokens, in millionths of the currency unit; 0: free or unknown */
  input_micros?: number;
  /** the price of a million output tokens, in millionths of the currency unit; 0: free or unknown */
  output_micros?: number;
}

/** ModelUsage is what a model call took. */
export interface ModelUsage {
  /** tokens */
  input?: number;
  /** tokens */
  output?: number;
  /** millionths of the currency unit */
  micros?: number;
  /** input that was in the provider's cache */
  cached?: number;
  /** input that was written to the cache */
  cache_write?: number;
  /** output that is not shown */
  reasoning?: number;
}

/** Models is the answer to GET /v1/models. */
export interface Models {
  models: Model[];
}

/** NewAgendaEvent is the body of POST /v1/agenda/events. */
export interface NewAgendaEvent {
  title: string;
  place?: string;
  notes?: string;
  /** like 2026-11-24T09:00, with an offset if you like; a day like 2026-11-24 lasts all day */
  start: string;
  /** the same; the last day if it lasts all day. Without it: an hour, or a day */
  end?: string;
  /** how long it lasts, in place of an end */
  minutes?: number;
  /** empty: that of the settings */
  zone?: string;
  all_day?: boolean;
  /** it takes no time; without it: true if it lasts all day */
  free?: boolean;
  /** how it repeats, as RRULE of RFC 5545 */
  rule?: string;
  alarms?: number[];
  shared?: boolean;
  /** of two events with one key only the first is made, as with the header Idempotency-Key */
  key?: string;
}

/**
 * NewAnswer is the body of POST /v1/asks/{id}/answer. Repeat the shown of the ask, so that the answer counts only
 * for what you have read. Leave by out.
 */
export interface NewAnswer {
  state: AskState;
  /** the answer, the choice, or why it was rejected */
  text?: string;
  /** the edited arguments (any JSON) */
  args?: unknown;
  /** for a plan that is accepted: the mode in which the work continues */
  mode?: Mode;
  /** `scope` is how far an approval goes: once (the default), session or always. The ask must offer it. */
  scope?: RuleScope;
  by?: string;
  /** the shown of the ask that the person read */
  shown?: string;
  /** as for a command */
  key?: string;
}

/** NewBranch is the body of POST /v1/sessions/{id}/branches. */
export interface NewBranch {
  /** `run` is the run of the session whose message was edited. The new session has all runs before it. */
  run: string;
  /** of the new run and its session; empty: the server makes one */
  id?: string;
  /** the preset that fills the empty fields of the task */
  preset?: string;
  /** with the edited message, and without a session */
  task: Task;
}

/** NewChannel is the body of POST /v1/channels. */
export interface NewChannel {
  /** mail; browsers and chats add themselves */
  kind: string;
  /** such as ann@example.org */
  address: string;
  label?: string;
}

/** NewErasure is the body of POST /v1/erasures. Name one of run, session and user. */
export interface NewErasure {
  run?: string;
  session?: string;
  user?: string;
  /** `shown` is the digest from GET /v1/erasures. If the list has changed since, nothing is erased. */
  shown: string;
}

/** NewFeedback is the body of PUT /v1/runs/{id}/feedback. */
export interface NewFeedback {
  /** up or down; empty: remove what you gave */
  rating: string;
  comment?: string;
}

/** NewFork is the body of POST /v1/runs/{id}/forks. */
export interface NewFork {
  /** the first step that is done again */
  step: string;
  /** what the step says instead: the text of a model's reply or a tool's result */
  text?: string;
  /** the model from then on; empty: that of the run */
  model?: string;
  /**
   * `allow` lists the tools that may change something after the step. Other tools that change something are not
   * run.
   */
  allow?: string[];
  /** of the new run; empty: the server makes one */
  id?: string;
}

/** NewHook is the body of POST /v1/hooks. */
export interface NewHook {
  /** what you call it */
  label?: string;
  /** where messages go, with https; empty: the hook only takes requests */
  url?: string;
  /** it may answer asks */
  answers?: boolean;
}

/** NewHousehold is the body of POST /v1/households. */
export interface NewHousehold {
  name: string;
  /** its first user */
  owner: string;
}

/** NewInvite is the body of POST /v1/invites. */
export interface NewInvite {
  /** member (or adult), child, guest or viewer */
  role: UserRole;
  /** of the new user; empty: whoever comes chooses it */
  name?: string;
  /** how many days it is valid; 0: the default */
  days?: number;
}

/** NewJob is the body of POST /v1/schedules. */
export interface NewJob {
  /** missing: the text */
  label?: string;
  schedule: JobSchedule;
  /** missing: what the payload means */
  target?: JobTarget;
  payload: JobPayload;
  /** missing: once */
  catch_up?: JobCatchUp;
  /** missing: queue for a systemEvent, skip for an agentTurn */
  overlap?: JobOverlap;
  spend?: number;
  /**
   * `key` makes the request safe to repeat: the same key makes one job. The header Idempotency-Key does the same.
   */
  key?: string;
}

/** NewList is the body of POST /v1/lists. */
export interface NewList {
  name: string;
  /** only you see it */
  private?: boolean;
  /** `key` makes the request safe to repeat: the same key works once. The header Idempotency-Key does the same. */
  key?: string;
}

/** A NewListItem is something to put on a list. What is on it already, and not done, becomes more of it. */
export interface NewListItem {
  text: string;
  amount?: number;
  unit?: string;
  category?: string;
}

/** NewListItems is the body of POST /v1/lists/{list}/items. */
export interface NewListItems {
  /** 1 to 100 */
  items: NewListItem[];
  /** `key` makes the request safe to repeat: the same key works once. The header Idempotency-Key does the same. */
  key?: string;
}

/** NewMCPServer is the body of POST /v1/mcp. It needs a command or a URL. */
export interface NewMCPServer {
  name: string;
  /** the program and its arguments; no shell reads them */
  command?: string[];
  /** variables for the program: NAME=VALUE, or NAME for the value that rein has */
  env?: string[];
  url?: string;
  /**
   * `headers` go with each request. In env and here a value "env:NAME" is that of a variable, "secret:NAME" that of
   * the user's secret. Other values are kept sealed, unless they are plainly no secrets.
   */
  headers?: Record<string, string>;
  /** each person logs in, by OAuth */
  login?: boolean;
  client_id?: string;
  /** tools that need no approval */
  allow?: string[];
  /** tools that are not offered */
  deny?: string[];
  /** what tools do, by name */
  effects?: Record<string, Effect>;
  /** tools that cannot look into code, so the flow research may call them */
  no_code?: string[];
  trust_hints?: boolean;
  /** tell it the folder of the run's workspace */
  roots?: boolean;
  /** it may redirect to private addresses */
  private?: boolean;
  sandbox?: boolean;
  read?: string[];
  write?: string[];
  network?: boolean;
}

/** NewMemory is the body of POST /v1/memories. What is about the same as a memory of yours takes its place. */
export interface NewMemory {
  /** one line of at most 500 bytes */
  text: string;
  /** fact, preference, person or plan; empty: fact */
  kind?: string;
  /** the subject in a few words; empty: rein looks for one in the text */
  about?: string;
  /** everyone at home reads it; for adults of the household */
  household?: boolean;
}

/**
 * NewMessage is the body of POST /v1/sessions/{id}/messages. It steers the active run of the session, or starts
 * one.
 */
export interface NewMessage {
  text: string;
  /** the ID of the run; empty: the server makes one */
  id?: string;
  /** the preset that fills the empty fields of the task */
  preset?: string;
  task?: Task;
}

/** NewPage is the body of PUT /v1/me/page. */
export interface NewPage {
  /** a JSON object of at most 64 kB (any JSON) */
  page: unknown;
}

/** NewPairing is the body of POST /v1/pairings. */
export interface NewPairing {
  /** empty: you */
  user?: string;
}

/** NewPreference is the body of PUT /v1/preferences/{name}. */
export interface NewPreference {
  value: string;
  /** it is for everyone at home; for adults of the household */
  household?: boolean;
}

/** NewPreset is the body of PUT /v1/presets/{name}. It has a run or a task. */
export interface NewPreset {
  /** what it is for, in one line */
  about?: string;
  /** `run` is a run of yours whose flow, model, tools, settings, budget and instructions are saved. */
  run?: string;
  /** `task` is saved as it is, with its prompt but without what belongs to one run. */
  task?: Task;
}

/**
 * NewPushSubscription is the body of POST /v1/push/subscriptions: what PushSubscription.toJSON() gives in a
 * browser.
 */
export interface NewPushSubscription {
  endpoint: string;
  keys: PushKeys;
  /** what you call the browser */
  label?: string;
  /** `expirationTime` is what browsers send along; it does not count. */
  expirationTime?: number;
}

/** NewRun is the body of POST /v1/runs. */
export interface NewRun {
  /** empty: the server makes one */
  id?: string;
  /** the preset that fills the empty fields of the task */
  preset?: string;
  task: Task;
}

/** NewSecret is the body of PUT /v1/secrets/{name}. */
export interface NewSecret {
  /** at most 64 KiB */
  value: string;
}

/** NewToken is the body of POST /v1/tokens. */
export interface NewToken {
  /** empty: you */
  user?: string;
  /** what it is for */
  label: string;
  /** empty: all scopes that the user has */
  scopes?: Scope[];
  /** how many days it is valid; 0: the default */
  days?: number;
}

/** NewTrust is the body of POST /v1/workspaces/{name}/trust. */
export interface NewTrust {
  /** where in the workspace somebody works */
  folder?: string;
  /** of what was shown; if the folder has changed since, nothing is decided */
  hash: string;
  /** `decline` records that you do not trust the content. rein does not ask about it again. */
  decline?: boolean;
}

/** NewUser is the body of POST /v1/users. */
export interface NewUser {
  name: string;
  role: UserRole;
}

/**
 * NewWorkspace is the body of POST /v1/workspaces. On the unix socket you can leave the name out; then it is the
 * workspace of the folder.
 */
export interface NewWorkspace {
  name?: string;
  /** the folder of its files */
  root?: string;
  /** the folder of its notes */
  vault?: string;
  /** folders of the vault to include; empty: all */
  include?: string[];
  /** folders of the vault to exclude, also below an included one */
  exclude?: string[];
  /** tools that need approval in this workspace */
  ask?: string[];
  /** tools that are denied in this workspace */
  deny?: string[];
  /** `shared` lets users of the household use it over the network. */
  shared?: boolean;
  /**
   * `force` accepts /, a home folder, or a folder that contains the data folder as root. It works only on the unix
   * socket.
   */
  force?: boolean;
}

/** Next is the run of the session that what people sent too late for this one started. */
export interface Next {
  run: string;
  /** what started it; the rest of what was not read is not applied */
  commands: string[];
}

/** A Node is a run with everything below it. */
export interface Node {
  run: Run;
  /** the steps that it is working on */
  doing?: Doing[];
  /** the open asks of this run, without those of its children */
  asks?: Ask[];
  children?: Node[];
}

/** A NoteCommit is a set of changes that was written to the notes at once. */
export interface NoteCommit {
  id: string;
  /** the commit that it undid */
  undoes?: string;
  /** the commit that undid it */
  undone_by?: string;
  at: string;
  notes: Written[];
  /** the user */
  by: string;
  /** the run that committed; empty: the user did */
  run?: string;
  session: string;
  /** `diff` shows what it changed. Lists leave it out. */
  diff?: string;
  /** `undo` shows what an undo would change; empty: it is undone already. Lists leave it out. */
  undo?: string;
  /** `shown` is the digest of that undo. An undo must repeat it. */
  shown?: string;
}

/** NoteCommits is the answer to GET /v1/notes/commits, the newest first. */
export interface NoteCommits {
  commits: NoteCommit[];
  /** pass it as before to get the next page; empty: this is the last one */
  next?: string;
}

/** NoteLinks open a note, at the heading or block that you asked for. */
export interface NoteLinks {
  obsidian: string;
  file: string;
  /** a path of this API */
  download: string;
}

/** NoteText is the answer to GET /v1/notes/read: a note, or a part of it, as it is now. */
export interface NoteText {
  text: string;
  path: string;
  section?: string;
  /** where the text begins, as the end of a link: "Heading#Below", or "^id" */
  anchor?: string;
  /** in characters of the note */
  start: number;
  end: number;
  /** characters that you asked for, before clipping */
  total: number;
  clipped?: boolean;
  /** if it was clipped: another section to read */
  suggest?: string;
  /** the hash of the whole note */
  hash: string;
  notices?: string[];
  /** notes that this one links to; a long list is cut */
  links_to?: string[];
  /** notes that link to this one; a long list is cut */
  linked_from?: string[];
  /** `changed` says that the note has changed since it had the hash that you gave. */
  changed: boolean;
  /** it is a file and not a note: open it with its links */
  file?: boolean;
  links: NoteLinks;
}

/** NotesFound is the answer to GET /v1/notes/search, the best hit first. */
export interface NotesFound {
  data: Hit[];
  /** limits and problems of this search, in words */
  notices?: string[];
  /** with explain: the words of the query */
  terms?: Term[];
  about?: About[];
  took_ms: number;
  /** `open` has links, by path, to the hits that are files and not notes. */
  open?: Record<string, NoteLinks>;
}

/** NotesStatus is the answer to GET /v1/notes: the state of the vault, and its files. */
export interface NotesStatus {
  /** its folder */
  vault: string;
  notes: number;
  skipped: number;
  /** passages that have no vector yet */
  missing_vectors: number;
  /** the model that makes the vectors; empty: search by words only */
  embedder?: string;
  progress: Progress;
  /** problems, in words */
  notices?: string[];
  entries: Entry[];
}

/**
 * Offers is what a person can allow beyond one call, as they see it: exact spellings for the session, and patterns
 * for good. A scope without any is not offered.
 */
export interface Offers {
  session?: string[];
  always?: string[];
}

/** Origin says who added a workspace. */
export type Origin = "settings" | "added" | "folder";

/** An Outcome is how a run ended, with its text and data. */
export interface Outcome {
  end: End;
  text?: string;
  /** what a flow adds for machines (any JSON) */
  data?: unknown;
}

/**
 * Page is the answer to GET and PUT /v1/me/page: an object that a web page keeps for you. rein does not read it.
 */
export interface Page {
  /** any JSON */
  page: unknown;
  /** empty: nothing is kept */
  changed?: string;
}

/**
 * PairingCode is the answer to POST /v1/channels/pair: what a person sends to the bot to make a chat theirs. It
 * works once.
 */
export interface PairingCode {
  code: string;
  expires: string;
  /** the name of the bot at Telegram, without @ */
  bot: string;
  /** opens the chat with the bot and sends the code */
  link: string;
}

/** Parked is the payload of run.parked. */
export interface Parked {
  /** 0: until a command comes */
  until?: string;
  /** what it waits for, in words */
  for?: string[];
}

/** Parts explain a score. */
export interface Parts {
  /** how well the words match (BM25); 1 is the best that the rarest words of the query can reach */
  words: number;
  /** how near the meaning is: the cosine of its best window */
  vector: number;
  /** false: there is no vector, so the words count for the meaning too */
  has_vector: boolean;
  /** added because its title, alias or tag matches */
  name?: number;
  /** which of these matches */
  named?: string;
  /** added because it contains a rare word literally */
  rare?: number;
  /** the factor for a short passage; 0: it is not short */
  short?: number;
  /** the query that fits it best */
  query?: string;
  /** it is in the list only because it contains a rare word */
  rescue?: boolean;
}

/** Past says which earlier run a message comes from, or which earlier runs it replaces. */
export interface Past {
  run?: string;
  /** the digest of what it replaces */
  fold?: string;
}

/**
 * A Policy decides in advance which tools a run may use. It is fixed when the run starts; the policy of the process
 * can later make it stricter, never looser.
 */
export interface Policy {
  /** tools that run without approval, although they want it */
  allow?: string[];
  /** tools that need approval, although they do not want it */
  ask?: string[];
  /** tools that the model is not offered and that are refused if called */
  deny?: string[];
  /**
   * `usual` lists the tools that asked for approval when the run started, because they are made so. Unlike Ask it
   * does not bind a mode or what a person allowed in advance.
   */
  usual?: string[];
  /** `timeout` is how long an approval waits for a person; 0 means without a limit (nanoseconds) */
  timeout?: number;
  on_expiry?: Expiry;
}

/**
 * A PostedMessage is something that rein told you outside of what you were doing: a reminder, an alarm, a notice,
 * or that something waits for your answer.
 */
export interface PostedMessage {
  id: string;
  /** reminder, result, alarm, notice or ask */
  kind: string;
  text: string;
  at: string;
  session?: string;
  run?: string;
  /** what waits for your answer */
  ask?: string;
  urgent?: boolean;
  /** when you read it; empty: not yet */
  seen?: string;
  /** what happened to it in your channels */
  sent?: Sent[];
}

/** A Preference is how somebody wants something. */
export interface Preference {
  name: string;
  value: string;
  /** it is for everyone at home */
  household?: boolean;
  /** the user who set it or agreed to it; empty: a run noted it */
  by?: string;
  /** the run in which it was set; empty: by hand, or not by you */
  source?: string;
  at: string;
}

/**
 * Preferences is the answer to GET /v1/preferences: yours and those of your household. Allergies, diet, language
 * and units come first.
 */
export interface Preferences {
  preferences: Preference[];
}

/** A Preset is a task with a name. A run that names it starts with that task. */
export interface Preset {
  name: string;
  about?: string;
  from: PresetFrom;
  /** the user who saved it */
  by?: string;
  /** `changed` is when it was last saved; empty: it is in the settings. */
  changed?: string;
  task: Task;
}

/** PresetFrom says where a preset comes from. */
export type PresetFrom = "settings" | "own" | "shared";

/** Presets is the answer to GET /v1/presets. */
export interface Presets {
  presets: Preset[];
}

/**
 * A Problem is an error of the API, after RFC 9457. Programs act on the code; the detail says what is wrong with
 * what, and the hint says what to do.
 */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: Code;
  hint: string;
  /** for the codes budget and quota: what ran out */
  dim?: string;
}

/** Progress is how far indexing has come. */
export interface Progress {
  /** "words" counts notes, "vectors" counts passages, "" means idle */
  phase: string;
  done: number;
  total: number;
  /** per second */
  rate: number;
  /** the estimated time left; 0: unknown, or done (nanoseconds) */
  left: number;
}

/**
 * A PromptRecord is a prompt in a log. It refers to the messages that it shares with an earlier prompt of the run,
 * so that a log grows only by what is new.
 */
export interface PromptRecord {
  /** decide, reason, observe, plan, final … */
  phase?: string;
  /** 1, 2, 3 …: the turn of the flow's loop */
  round?: number;
  /** "Searching… K=20" */
  human?: string;
  model?: string;
  tools?: string[];
  /** if set, the reply is JSON of this shape (any JSON) */
  schema?: unknown;
  /** how many tokens the reply may have; 0: the model's own limit */
  max_tokens?: number;
  /** show the reply to people while it is written */
  stream?: boolean;
  /**
   * `prose` is Stream for a reply that may be something else than prose. It is shown while it is written unless it
   * begins like a call, JSON or code, and up to an object at its end. A reply with calls that began as prose has
   * been shown that far: its calls count.
   */
  prose?: boolean;
  /** `rendering` says how calls and results are written for the model; empty: as suits the model. */
  rendering?: Rendering;
  /** `compact` says when a summary replaces the older messages; null: never. */
  compact?: Compact;
  /**
   * `hand_over` lists lines by which the reply hands over to other work. A reply of [Prompt.Prose] that begins with
   * one is not shown; if one comes later, what was shown of the reply is withdrawn.
   */
  hand_over?: string[];
  /**
   * `closing` marks the last call of a run whose budget is spent. It has no tools, and it drops its oldest messages
   * until it fits the run's reserve.
   */
  closing?: boolean;
  /** the step whose prompt starts with the same messages */
  base?: string;
  /** how many */
  keep?: number;
  /** the messages after them */
  add?: Message[];
  /** `folds` is set if a summary replaced these messages; it has the digest of the summary. */
  folds?: Folded;
}

/** PushKey is the answer to GET /v1/push/key. */
export interface PushKey {
  /** the applicationServerKey with which a browser subscribes */
  key: string;
}

/** PushKeys are the keys of a subscription, in base64url. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** QuietHours are a time of the day at which messages wait. They end on the next day if to is not after from. */
export interface QuietHours {
  /** the days on which they begin, such as monday; empty: every day */
  days?: string[];
  /** such as 22:00 */
  from: string;
  /** such as 07:00 */
  to: string;
}

/** A Quota is what a user or a household has used, or may use. */
export interface Quota {
  /** active runs: neither ended nor waiting */
  driven: number;
  /** runs started and messages sent by people, per hour */
  frames: number;
  /** logs, files of sessions, staged notes, and the history of committed notes */
  bytes: number;
  /** per day, used and reserved */
  tokens: number;
  /** per day, used and reserved, in millionths of the currency unit */
  micros: number;
}

/** Rating is what somebody thinks of a run. */
export type Rating = "up" | "down";

/**
 * Raw is a reply in the format of the API that it came from: thinking with its signature, encrypted reasoning and
 * citations, in their places among text and calls.
 */
export interface Raw {
  /** which API can read data: anthropic, openai.chat or openai.responses */
  api: string;
  /** any JSON */
  data: unknown;
}

/** A Receipt says what happened to a command. */
export interface Receipt {
  command: string;
  kind: CommandKind;
  state: ReceiptState;
  /** where it was applied */
  step?: string;
  /** the run that it started */
  started?: string;
  /** why it was not applied */
  reason?: string;
  /** as it was sent */
  key?: string;
  /** this key was sent before; this is the first receipt */
  again?: boolean;
}

/** ReceiptState is the state of a command. */
export type ReceiptState = "pending" | "applied" | "started" | "not applied";

/** Receipts is the answer to GET /v1/runs/{id}/receipts: what happened to each command to the run. */
export interface Receipts {
  /** oldest first */
  receipts: Receipt[];
}

/** A Ref names a note. */
export interface Ref {
  path: string;
  title?: string;
}

/** Rekeyed is the answer to POST /v1/secret-key. */
export interface Rekeyed {
  /** how many secrets were sealed with the new key */
  sealed: number;
  /** `lost` lists secrets that could not be opened, as HOUSEHOLD/USER/NAME: they must be set again. */
  lost: string[];
}

/**
 * Rendering names a way to write tool calls and results for a model. The transcript underneath is always the same.
 */
export type Rendering = "native" | "text" | "json" | "log";

/** Renewed is the payload of step.renewed. */
export interface Renewed {
  /** what is reserved for the step now, including the new time */
  bound: Amount;
}

/** Replayed is the answer to POST /v1/runs/{id}/replay. */
export interface Replayed {
  /** the new log says what the old one says */
  same: boolean;
  /** how many steps the run and those below it have */
  steps: number;
  /** `differences` has the first difference, if there is one: those after it would follow from it. */
  differences: Difference[];
  /** why the run cannot be played; then nothing was compared */
  why?: string;
}

/**
 * Rights are what a role lets its users do with the calls of tools. Scopes say what a credential is good for;
 * rights say what a person may let happen.
 */
export interface Rights {
  role: UserRole;
  /**
   * `approves` are the calls that they may approve. An approval that they may not give is for an adult of the
   * household.
   */
  approves: CallSet;
  /**
   * `foreign` says that they may also approve a call that changes what belongs to somebody else; see Shown.Foreign.
   */
  foreign?: boolean;
  /**
   * `lasting` says that they may approve calls in advance: by a rule, by a policy, and by a mode that is looser
   * than ask.
   */
  lasting?: boolean;
  /**
   * `preset` says that what the settings approve in advance (tools.allow, approvals.mode) and rules hold for their
   * runs.
   */
  preset?: boolean;
  /**
   * `offers` lists the families of tools that their runs get; AllFamilies means every family. A run without the
   * family memory reads nothing of what rein remembers, and nothing is remembered of it.
   */
  offers: string[];
  /** `day_micros` is what they may spend in a day, in millionths of the currency unit; 0: as much as every user. */
  day_micros?: number;
}

/** Role says who speaks in a transcript. */
export type Role = "system" | "developer" | "user" | "assistant" | "tool";

/**
 * A Rule is what a person allowed beyond one call, when they approved that call. It holds for calls of one tool, by
 * runs of one user in one workspace, until somebody revokes it. It never loosens what a policy denies or asks for.
 */
export interface Rule {
  id: string;
  household: string;
  /** whose runs it holds for */
  user: string;
  /** where it holds */
  workspace: string;
  /** the folder of the workspace: the rule does not hold if the name gets another one */
  root: string;
  tool: string;
  scope: RuleScope;
  /** the only session that it holds for, if the scope is session */
  session?: string;
  /** what is allowed, as the person saw it */
  pattern: string;
  /** the approval that made it */
  ask: string;
  /** who approved */
  by: string;
  created: string;
  revoked?: string;
  revoked_by?: string;
}

/** RuleScope says how far an approval goes. */
export type RuleScope = "once" | "session" | "always";

/** Rules is the answer to GET /v1/rules: a page of rules, the oldest first. */
export interface Rules {
  rules: Rule[];
  /** the after of the next page; empty: this is the last one */
  next?: string;
}

/** Run is a run as lists show it. */
export interface Run {
  id: string;
  household: string;
  user: string;
  session: string;
  flow: string;
  /** the first line of the task */
  title: string;
  status: Status;
  /** the command that is ending it, if there is one */
  ending?: CommandKind;
  /** it starts nothing until it is resumed */
  paused?: boolean;
  /** how much of its work waits for a person; missing: ask */
  mode?: Mode;
  workspace?: string;
  epoch: number;
  digest: string;
  /** the sequence number of its last event */
  seq: number;
  /** the sequence number of its newest command */
  command: number;
  started: string;
  /** when its last event was written */
  changed: string;
  ended?: string;
  wake_at?: string;
  outcome?: RunEnd;
  erased?: boolean;
  /**
   * `used` is what the tree of a root has used, with what is reserved for calls that are running. Other runs have
   * none.
   */
  used?: Amount;
  /**
   * `asks` is how many asks are open in it and in the runs below. Only answers about one run, and lists of runs,
   * have it.
   */
  asks?: number;
}

/** RunEnd is the payload of the event that ends a run. */
export interface RunEnd {
  end: End;
  text?: string;
  /** what a flow adds for machines (any JSON) */
  data?: unknown;
  failure?: Failure;
  /** missing: no message started another run, or the log is older */
  next?: Next;
}

/** RunStart is the payload of run.started. */
export interface RunStart {
  task: Task;
  /** the earlier run of the session whose unread messages started this one */
  after?: string;
  reserve?: Amount;
}

/** Runs is the answer to GET /v1/runs. */
export interface Runs {
  runs: Run[];
  /** pass it as after to get the next page; empty: this is the last one */
  next?: string;
}

/** Schedules is the answer to GET /v1/schedules: your jobs, those that fire next first. */
export interface Schedules {
  jobs: Job[];
}

/** A Scope is something that a credential allows. */
export type Scope = "read" | "act" | "answer" | "admin";

/**
 * A Secret is something that was typed and that nobody can read back, such as a key or a password. It is shown
 * without its value.
 */
export interface Secret {
  name: string;
  /** when it was last set */
  changed: string;
  /** it belongs to the household, not to you */
  shared?: boolean;
  /** `lost` says that the key it was sealed with is missing, so that it must be set again. */
  lost?: boolean;
}

/** Secrets is the answer to GET /v1/secrets. */
export interface Secrets {
  /** by name, yours first */
  secrets: Secret[];
}

/** SeenMessages is the body of POST /v1/messages/seen. */
export interface SeenMessages {
  /** which messages you have read; empty: all */
  ids: string[];
}

/** Sent is what happened to a message in one channel. */
export interface Sent {
  channel: string;
  state: State;
  tries: number;
  changed: string;
  /** for a waiting delivery: when the next attempt is */
  next?: string;
  /** why the last attempt failed, or why it was dropped */
  error?: string;
}

/** A SentPrompt is a prompt as it was sent, with all its messages. */
export interface SentPrompt {
  /** decide, reason, observe, plan, final … */
  phase?: string;
  /** 1, 2, 3 …: the turn of the flow's loop */
  round?: number;
  /** "Searching… K=20" */
  human?: string;
  model?: string;
  tools?: string[];
  /** if set, the reply is JSON of this shape (any JSON) */
  schema?: unknown;
  /** how many tokens the reply may have; 0: the model's own limit */
  max_tokens?: number;
  /** show the reply to people while it is written */
  stream?: boolean;
  /**
   * `prose` is Stream for a reply that may be something else than prose. It is shown while it is written unless it
   * begins like a call, JSON or code, and up to an object at its end. A reply with calls that began as prose has
   * been shown that far: its calls count.
   */
  prose?: boolean;
  /** `rendering` says how calls and results are written for the model; empty: as suits the model. */
  rendering?: Rendering;
  /** `compact` says when a summary replaces the older messages; null: never. */
  compact?: Compact;
  /**
   * `hand_over` lists lines by which the reply hands over to other work. A reply of [Prompt.Prose] that begins with
   * one is not shown; if one comes later, what was shown of the reply is withdrawn.
   */
  hand_over?: string[];
  /**
   * `closing` marks the last call of a run whose budget is spent. It has no tools, and it drops its oldest messages
   * until it fits the run's reserve.
   */
  closing?: boolean;
  messages: Message[];
  folded?: FoldedPart;
}

/** Session is a session as lists and answers show it. */
export interface Session {
  id: string;
  household: string;
  user: string;
  started: string;
  /** when one of its root runs last started or ended */
  changed: string;
  /** how many root runs it has */
  runs: number;
  /** its newest unfinished root run */
  active?: string;
  /** `title` is the one that somebody gave it, or that of its first run. */
  title: string;
  /** Status, Flow and Workspace are those of its newest root run. */
  status: Status;
  flow: string;
  workspace?: string;
  /** how many open asks of its runs wait for you */
  waiting?: number;
  pinned?: boolean;
  archived?: boolean;
  /** `branch_of` is where the session leaves another one; it inherits what that one has before the run. */
  branch_of?: Branch;
}

/** Sessions is the answer to GET /v1/sessions. */
export interface Sessions {
  /** pinned ones first, then the one whose newest run began last */
  sessions: Session[];
  /** pass it as after to get the next page; empty: this is the last one */
  next?: string;
}

/** ShownRun is the answer to GET /v1/runs/{id}. */
export interface ShownRun {
  id: string;
  household: string;
  user: string;
  session: string;
  flow: string;
  /** the first line of the task */
  title: string;
  status: Status;
  /** the command that is ending it, if there is one */
  ending?: CommandKind;
  /** it starts nothing until it is resumed */
  paused?: boolean;
  /** how much of its work waits for a person; missing: ask */
  mode?: Mode;
  workspace?: string;
  epoch: number;
  digest: string;
  /** the sequence number of its last event */
  seq: number;
  /** the sequence number of its newest command */
  command: number;
  started: string;
  /** when its last event was written */
  changed: string;
  ended?: string;
  wake_at?: string;
  outcome?: RunEnd;
  erased?: boolean;
  /**
   * `used` is what the tree of a root has used, with what is reserved for calls that are running. Other runs have
   * none.
   */
  used?: Amount;
  /**
   * `asks` is how many asks are open in it and in the runs below. Only answers about one run, and lists of runs,
   * have it.
   */
  asks?: number;
  /** what people think of it */
  feedback?: Feedback[];
}

/** A Sibling is a session, and the run with which it goes its way. */
export interface Sibling {
  session: string;
  run: string;
  title: string;
  started: string;
  erased?: boolean;
}

/** SkippedAgendaEvent is an event of an iCalendar file that was not taken. */
export interface SkippedAgendaEvent {
  uid?: string;
  title?: string;
  why: string;
}

/** A SlashCommand is a task that /NAME stands for. */
export interface SlashCommand {
  name: string;
  /** what it is for, in one line */
  about?: string;
  /** what can follow the name */
  hint?: string;
  /** user, or workspace */
  from: string;
  /** nobody trusts the folder that it comes from, so it has no text */
  inert?: boolean;
  text?: string;
}

/** SlashCommands is the answer to GET /v1/workspaces/{name}/commands. */
export interface SlashCommands {
  commands: SlashCommand[];
}

/** A StagedNote is a note as it will be after a commit. */
export interface StagedNote {
  path: string;
  /** the note before its first change; empty: it is new */
  base_hash?: string;
  hash: string;
  /** the run and the step that changed it last */
  run: string;
  step: string;
  changed: string;
  /** `denied` says that you may no longer use its folder. You can discard the change, but not commit it. */
  denied?: boolean;
  /** `stale` says that the note on the disk has changed since. A commit will be refused. */
  stale?: boolean;
}

/** StagedNotes is the answer to GET /v1/notes/staged: your changes to notes that wait to be committed. */
export interface StagedNotes {
  sessions: StagedSession[];
}

/** A StagedSession is what one of your sessions has staged. */
export interface StagedSession {
  session: string;
  workspace: string;
  notes: StagedNote[];
  /**
   * `diff` shows all changes as unified diffs. Invisible characters are written as their code points. Lists leave
   * it out.
   */
  diff?: string;
  /** `shown` is the digest of exactly these changes. A commit must repeat it. */
  shown: string;
}

/** Started is the answer to POST /v1/runs: the run, and what could make it wait for a person. */
export interface Started {
  id: string;
  household: string;
  user: string;
  session: string;
  flow: string;
  /** the first line of the task */
  title: string;
  status: Status;
  /** the command that is ending it, if there is one */
  ending?: CommandKind;
  /** it starts nothing until it is resumed */
  paused?: boolean;
  /** how much of its work waits for a person; missing: ask */
  mode?: Mode;
  workspace?: string;
  epoch: number;
  digest: string;
  /** the sequence number of its last event */
  seq: number;
  /** the sequence number of its newest command */
  command: number;
  started: string;
  /** when its last event was written */
  changed: string;
  ended?: string;
  wake_at?: string;
  outcome?: RunEnd;
  erased?: boolean;
  /**
   * `used` is what the tree of a root has used, with what is reserved for calls that are running. Other runs have
   * none.
   */
  used?: Amount;
  /**
   * `asks` is how many asks are open in it and in the runs below. Only answers about one run, and lists of runs,
   * have it.
   */
  asks?: number;
  may_ask: Blocker[];
}

/** State is the state of a delivery. */
export type State = "waiting" | "delivered" | "dropped" | "given up";

/** Status is the state of a run. When a run has ended, its status is its End. */
export type Status = "ready" | "running" | "waiting" | "blocked" | "done" | "limit" | "declined" | "stopped" | "cancelled" | "deleted" | "failed";

/** A Step is one recorded act of a run, without its texts. */
export interface Step {
  key: string;
  /** for a call inside a step (a repair, a summary, what a tool asks of the model or of its tree): that step */
  of?: string;
  verb?: Verb;
  /** decide, reason, observe, plan, final … */
  phase?: string;
  /** 1, 2, 3 …: the turn of the flow's loop */
  round?: number;
  /** "Searching… K=20" */
  human?: string;
  /** for a tool call: the tool that is called */
  tool?: string;
  /** for a tool call: the flow reads something for itself */
  internal?: boolean;
  /** for a model call: the model that answered, or that is asked now */
  model?: string;
  /** for a spawn or a wait */
  child?: string;
  state: StepState;
  started: string;
  ended?: string;
  /** how long it took, in nanoseconds (nanoseconds) */
  duration?: number;
  failure?: Failure;
  /** what its model calls took, with those that failed */
  usage?: ModelUsage;
  attempts?: StepAttempt[];
  waits?: StepWait[];
  /** that it opened */
  asks?: StepAsk[];
  effect?: Effect;
  /** why a call that changes something was made: see the field of the same name in Intent */
  allowed?: string;
  /** the mode in which that was decided */
  mode?: Mode;
  /** how the call was repaired, if it was */
  mended?: string;
  /** the sequence number of its first event */
  seq: number;
  /** and of its newest */
  last: number;
  erased?: boolean;
}

/** A StepAsk is an ask that a step opened. GET /v1/asks/{id} has the rest. */
export interface StepAsk {
  id: string;
  kind: AskKind;
  state: AskState;
  opened: string;
  closed?: string;
}

/** A StepAttempt is one dispatch of a step. */
export interface StepAttempt {
  n: number;
  at: string;
  /** why it was tried again */
  why?: string;
}

/**
 * StepDetail is the answer to GET /v1/runs/{id}/steps/{key}: a step with its texts. Secrets in them have a label in
 * their place.
 */
export interface StepDetail {
  step: Step;
  /** for a model call */
  prompt?: SentPrompt;
  /** of a model */
  reply?: Message;
  /** what a model had written when it was cut off */
  partial?: string;
  /** as the model wrote it (any JSON) */
  call?: unknown;
  /** the arguments that the tool got, if they differ from those of the call (any JSON) */
  args?: unknown;
  result?: ToolResult;
  /** the whole text of a result that was clipped */
  whole?: string;
  /** of a person */
  answer?: Answer;
  /** for a look into the inbox: what it held */
  items?: Item[];
  /** for a wait: how the child ended */
  outcome?: Outcome;
}

/**
 * StepEnd is the payload of step.done. Exactly one of the result fields is set, or failure. A step that ends as
 * soon as it starts has no event step.started; then sig, verb, tool and call are here.
 */
export interface StepEnd {
  sig?: string;
  verb?: Verb;
  tool?: string;
  /** as in StepStart, for a call that was over before it began */
  server_name?: string;
  /** as in StepStart; missing in older logs (any JSON) */
  call?: ToolCall;
  message?: Message;
  result?: ToolResult;
  answer?: Answer;
  items?: Item[];
  child?: string;
  outcome?: Outcome;
  failure?: Failure;
  /** the model that answered */
  model?: string;
  /**
   * as the provider reported it, or what was reserved if it reported nothing; for a call that was cut off, an
   * estimate
   */
  usage?: ModelUsage;
  /** the provider reported more than was reserved */
  overrun?: boolean;
  /** what a model had written when it was cut off */
  partial?: string;
  /** the whole text of a result that was clipped */
  whole?: string;
  /** the kinds of secrets that were removed from a result or a reply */
  redacted?: string[];
  /** nanoseconds */
  duration?: number;
}

/**
 * StepStart is the payload of step.started. Only the engine reads sig: a replay must ask for the same. tool always
 * names the tool of a call, also if the name is as the model wrote it.
 */
export interface StepStart {
  sig: string;
  verb?: Verb;
  /** decide, reason, observe, plan, final … */
  phase?: string;
  /** 1, 2, 3 …: the turn of the flow's loop */
  round?: number;
  /** "Searching… K=20" */
  human?: string;
  prompt?: PromptRecord;
  /** as the model wrote it (any JSON) */
  call?: ToolCall;
  /** the tool that is called; the model may have misspelled its name */
  tool?: string;
  /** the arguments, if they differ from those of the call (any JSON) */
  args?: unknown;
  /** how the call was repaired: name, tolerant, coerced or model (all guesses), or person */
  mended?: string;
  /**
   * `server_name` names the MCP server whose tool is called, as NAME, or NAME@PLACE if a folder brought it.
   * Missing: the tool is rein's or the program's own, or the log is older.
   */
  server_name?: string;
  child?: string;
  /** for a fork, a wait or a message of a tool */
  tree?: TreeCall;
  /** for a summary: the messages that it will replace */
  folds?: Folded;
  /** what is reserved for it; 0: nothing yet */
  bound?: Amount;
}

/** StepState says where a step stands. */
export type StepState = "running" | "waiting" | "ok" | "failed" | "refused" | "timeout" | "unknown" | "skipped" | "cut" | "erased";

/** A StepWait is a time in which a model call waited for its turn, or before another attempt. */
export interface StepWait {
  from: string;
  until?: string;
  why?: string;
  /** the next model, if it is another one */
  model?: string;
  /** why the previous attempt failed */
  failure?: Failure;
}

/** Steps is the answer to GET /v1/runs/{id}/steps. */
export interface Steps {
  /** in the order in which they began */
  steps: Step[];
  /** pass it as after to get the next page; empty: this is the last one */
  next?: string;
}

/** Stop says why a reply was cut off. */
export type Stop = "length" | "refusal" | "filter";

/** Sum is what a group of runs, with everything below them, has used. */
export interface Sum {
  what: string;
  /** how many trees of runs */
  runs: number;
  /** without reservations */
  used: Amount;
}

/** TargetStatus is the state of a webhook. Its URL is not shown, because the path may be a secret. */
export interface TargetStatus {
  name: string;
  host: string;
  events: WebhookEvent[];
  private?: boolean;
  content?: boolean;
  /** since when it is disabled; empty: it is not */
  disabled?: string;
  why?: string;
  /** how many deliveries there are in each state */
  counts: Record<string, number>;
}

/**
 * A Task is what a run is asked to do. It has only names: clients, keys and functions stay in the process. It is
 * recorded in run.started and does not change after that.
 */
export interface Task {
  flow: string;
  /** `preset` names a prepared task, which fills the fields that this one leaves empty before the run starts. */
  preset?: string;
  /**
   * `revision` is the flow's revision when the run started. The engine sets it; a fork keeps the revision of the
   * run that it leaves.
   */
  revision?: number;
  messages?: Message[];
  model?: string;
  tools?: string[];
  /** `code_tools` lists those of the tools that can look into code. The engine sets it. */
  code_tools?: string[];
  /** the settings of the flow; fixed when the run starts (any JSON) */
  settings?: unknown;
  /** the budget of the tree; null: the default; ignored in a child */
  budget?: Budget;
  /** which tools run without asking, which ask, and which are denied */
  policy?: Policy;
  /**
   * `mode` is how much of the work waits for a person; empty in older tasks: ask. If the caller leaves it empty,
   * the run starts in the mode of its session, or in the default one. A child has that of its parent.
   */
  mode?: Mode;
  household?: string;
  user?: string;
  session?: string;
  /** `workspace` names the workspace that the run works in; empty: that of the session, or the default. */
  workspace?: string;
  /**
   * `rules` is the hash of what the run may see in the workspace, set when the run starts: later rules can allow
   * less, never more.
   */
  rules?: string;
  /**
   * `folder` is where in the workspace the person works, with slashes; empty: in its root. The instructions
   * (AGENTS.md) of the folders down to it count, the nearest most.
   */
  folder?: string;
  /** the time zone, as an IANA name */
  zone?: string;
  /** as BCP 47 */
  language?: string;
  /**
   * `texts` has the prompts, rules and skills that this run uses instead of the built-in ones, by name. A store
   * keeps each of them once, however many runs use it.
   */
  texts?: Record<string, string>;
  /**
   * `notices` says, for people, what was changed about the task before it started: a setting that was clamped, a
   * text that could not be used.
   */
  notices?: string[];
  /**
   * `parent` is the run under which a person started this one. This run is still the root of its own tree; only
   * clients that show agents place it there.
   */
  parent?: string;
  /** `metadata` is an object of the caller. rein keeps and shows it, and does not read it (any JSON) */
  metadata?: unknown;
  /** `start` is the time when the run was started. The engine sets it. */
  start?: string;
  /** `fork` is set if the run starts as a copy of another one. */
  fork?: Fork;
  /** `branch` is set if the run begins a session that is a branch of another one. */
  branch?: Branch;
}

/** A Term is a word of a query. */
export interface Term {
  word: string;
  /** how often the query has it, if more than once */
  times?: number;
  /** how many passages contain it, or a word with the same stem */
  pieces: number;
  idf: number;
  rare?: boolean;
  /** it is too common to count beside the other words */
  small?: boolean;
}

/** A Thing is one item of an Erasure. */
export interface Thing {
  /** for example run, memory, file or user */
  kind: string;
  name: string;
  /** whose it is */
  user?: string;
  /** why it goes too; empty: it is the target itself */
  why?: string;
  /** how it begins, if it belongs to you */
  text?: string;
}

/** A Todo is a list of things to do that a model keeps while it works. */
export interface Todo {
  items: TodoItem[];
}

/** A TodoItem is one thing to do. */
export interface TodoItem {
  id: number;
  text: string;
  state: TodoState;
}

/** TodoState says how far a thing to do is. */
export type TodoState = "pending" | "doing" | "done";

/** A Token identifies a program. Lists show it without its secret. */
export interface Token {
  id: string;
  user: string;
  /** what it is for */
  label: string;
  scopes: Scope[];
  created: string;
  expires: string;
  revoked?: string;
  /** to the minute */
  last_used?: string;
}

/** Tokens is the answer to GET /v1/tokens. */
export interface Tokens {
  tokens: Token[];
}

/** A Tool is a tool that runs can use. */
export interface Tool {
  name: string;
  about: string;
  effect: Effect;
  /** a call can wait for a person's approval */
  asks?: boolean;
  /** any JSON */
  schema: unknown;
  /** `approval` says who decides whether a person is asked. The mode of a session can change it. */
  approval: Approval;
  from: From;
}

/** A ToolCall is a model's request to use a tool. Args is what the model wrote, which may not be JSON. */
export interface ToolCall {
  /** decide, reason, observe, plan, final … */
  phase?: string;
  /** 1, 2, 3 …: the turn of the flow's loop */
  round?: number;
  /** "Searching… K=20" */
  human?: string;
  id: string;
  name: string;
  /** any JSON */
  args?: unknown;
  /**
   * `why` says why the model wants the call, in its own words, where it does not say so in the text of its reply.
   */
  why?: string;
  /**
   * `internal` marks a read that a flow makes for itself, with a tool that models are not offered. The result is
   * rein's own data: it is not counted and not clipped.
   */
  internal?: boolean;
  raw_args?: string;
}

/** A ToolResult is the result of a call. Every call gets one, whatever happened. */
export interface ToolResult {
  status: ToolStatus;
  /** for the model */
  text?: string;
  /** for flows and clients (any JSON) */
  data?: unknown;
  /** `handle` is set if the text was clipped: the tool read_result uses it to read the whole text. */
  handle?: string;
  /** the text is a person's own words */
  from_person?: boolean;
  /** how the call was repaired, if it was: name, tolerant, coerced, model or person */
  mended?: string;
  /** what rein tells the model about changed arguments; not from the tool */
  note?: string;
  /** `evidence` says which part of the data may be cited. It is empty in older logs. */
  evidence?: Evidence;
  /** for the model, named by their hashes */
  images?: Image[];
  /** that the call left in the session */
  files?: Artifact[];
}

/** ToolStatus is the status of a call. */
export type ToolStatus = "ok" | "failed" | "refused" | "timeout" | "unknown" | "skipped";

/** Tools is the answer to GET /v1/tools. */
export interface Tools {
  tools: Tool[];
}

/** A Topic is a kind of things that a household has outside of runs. */
export type Topic = "agenda" | "schedules" | "memory" | "lists" | "people" | "messages";

/**
 * TreeBudget is the answer to GET /v1/runs/{id}/budget: the budget of the tree, and what the run and all runs below
 * it have used of it.
 */
export interface TreeBudget {
  ledger: Ledger;
  /** the part that is reserved but not used yet */
  held?: Amount;
}

/** A TreeCall is a call to a Tree, as the log has it. */
export interface TreeCall {
  /** of a fork */
  prompt?: string;
  /** of a wait */
  handle?: number;
  /** to which a message is sent */
  run?: string;
  /** of a message */
  text?: string;
}

/**
 * Trust is what the folder of a workspace brings (instructions, rules, skills, commands, MCP servers), and whether
 * somebody trusts it. Unless it is trusted, none of it runs or is obeyed.
 */
export interface Trust {
  workspace: string;
  /** where in the workspace somebody works; empty: in its root */
  folder?: string;
  state: TrustState;
  /** `hash` names exactly this content. Repeat it to trust the folder. */
  hash?: string;
  files: BroughtFile[];
  /** what is different since somebody trusted the folder */
  changed?: string[];
  /** `problems` says what cannot be used, and why. */
  problems?: string[];
  /** who decided */
  by?: string;
  /** when they did */
  at?: string;
}

/** TrustState says whether what a folder brings is used. */
export type TrustState = "nothing" | "trusted" | "untrusted" | "changed" | "declined";

/** A TrustedFolder is a folder that somebody trusts. */
export interface TrustedFolder {
  id: string;
  /** the folder of the workspace */
  root: string;
  /** where in it somebody worked */
  folder?: string;
  /** of what it brought then */
  hash: string;
  /** how many files that was */
  files: number;
  by: string;
  at: string;
}

/** TrustedFolders is the answer to GET /v1/trust. */
export interface TrustedFolders {
  folders: TrustedFolder[];
}

/** Usage is the answer to GET /v1/usage. */
export interface Usage {
  by: string;
  sums: Sum[];
  /** by session: pass it as after to get the next page; empty: this is the last one */
  next?: string;
}

/** User is a user of a household: a person or a program. */
export interface User {
  household: string;
  name: string;
  role: UserRole;
  created: string;
  /** since when the user is disabled; empty: the user is not */
  disabled?: string;
}

/** UserRole is the role of a user in the household. */
export type UserRole = "owner" | "member" | "child" | "guest" | "viewer" | "service";

/** Users is the answer to GET /v1/users. */
export interface Users {
  users: User[];
}

/** A Verb is what a flow asked for in a step. */
export type Verb = "model" | "tool" | "ask" | "inbox" | "spawn" | "wait" | "send" | "parallel";

/**
 * A Verdict is what a check of one run found: that the chain of its log, its payloads and texts, and what lists
 * show of it are what was written.
 */
export interface Verdict {
  run: string;
  /** how many its log has */
  events: number;
  /** how many of them were erased; the chain still covers them */
  erased?: number;
  /** the hash of the last event, which covers all events before it */
  head: string;
  ok: boolean;
  /** what is wrong */
  wrong?: string[];
}

/** Verdicts is the answer to GET /v1/runs/{id}/verify. */
export interface Verdicts {
  /** of the run and, for a tree, of the runs below it */
  verdicts: Verdict[];
  /** pass it as after to get the next page; empty: this is the last one */
  next?: string;
}

/** Waiting is the payload of step.waiting. */
export interface Waiting {
  /** for a step that has not started */
  sig?: string;
  until: string;
  why: string;
  /** why the previous attempt failed */
  failure?: Failure;
  /** how many attempts have failed */
  try?: number;
  /** the next model, if it is another one */
  model?: string;
  /** the summary in the next attempt */
  folds?: Folded;
  /** the usage of the previous attempt */
  usage?: ModelUsage;
}

/** WebhookEvent is something that a webhook can receive. */
export type WebhookEvent = "ask.opened" | "ask.closed" | "run.ended";

/** A Workspace is a named folder with its files, notes, instructions and rules. */
export interface Workspace {
  name: string;
  household: string;
  /** `root` is the folder of the file tools; empty: there is none. */
  root?: string;
  /**
   * `vault` is the folder of the notes; empty: there are none, or, for a workspace with the origin folder, the
   * vault in the settings.
   */
  vault?: string;
  /** folders of the vault to include; empty: all */
  include?: string[];
  /** folders of the vault to exclude, also below an included one */
  exclude?: string[];
  /** tools that need approval in this workspace */
  ask?: string[];
  /** tools that are denied in this workspace */
  deny?: string[];
  /** `shared` says that users of the household may use it over the network. */
  shared?: boolean;
  origin: Origin;
  /** who added it */
  by?: string;
  created?: string;
}

/** Workspaces is the answer to GET /v1/workspaces: those that you can name in a task. */
export interface Workspaces {
  workspaces: Workspace[];
}

/** Written is one note of a commit. */
export interface Written {
  path: string;
  /** its hash before; empty: it was new */
  before?: string;
  /** its hash after; empty: it was removed */
  after?: string;
}

/** WrittenAgendaEvent is an event after it was made or changed. */
export interface WrittenAgendaEvent {
  event: AgendaEvent;
  /** `next` is the event that continues from the occurrence on which an event was split. */
  next?: AgendaEvent;
  /** the first ones */
  conflicts?: AgendaConflict[];
  /** such as that the clocks change at its time */
  remarks?: string[];
}

/** Payloads has the type of the data of an event, by its kind. */
export interface Payloads {
  "ask.opened": Ask;
  "command.answer": Command;
  "command.cancel": Command;
  "command.child": Command;
  "command.comment": Command;
  "command.delete": Command;
  "command.expire": Command;
  "command.message": Command;
  "command.mode": Command;
  "command.modify": Command;
  "command.pause": Command;
  "command.resume": Command;
  "command.stop": Command;
  "run.blocked": Blocked;
  "run.completed": RunEnd;
  "run.failed": RunEnd;
  "run.parked": Parked;
  "run.started": RunStart;
  "run.stopped": RunEnd;
  "step.attempt": Attempt;
  "step.checked": Checked;
  "step.done": StepEnd;
  "step.intent": Intent;
  "step.renewed": Renewed;
  "step.started": StepStart;
  "step.waiting": Waiting;
  "sub.done": StepEnd;
  "sub.started": StepStart;
}
