package rein

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// Effect says what a tool does to the world, and so what rein may do with a call whose outcome a crash has
// hidden.
type Effect string

const (
	Pure       Effect = "pure"       // changes nothing: run again
	Idempotent Effect = "idempotent" // the tool takes a key: run again with the same key
	Checkable  Effect = "checkable"  // the tool can check whether the call happened: check first
	Unsafe     Effect = "unsafe"     // the call must not happen twice: a person decides
)

// Check refuses an effect that is not stated: nothing is taken for pure because somebody forgot to
// say what it is.
func (e Effect) Check() error {
	switch e {
	case Pure, Idempotent, Checkable, Unsafe:
		return nil
	case "":
		return Errorf(CodeInvalid, "no Effect is stated: set it to pure, idempotent, checkable or unsafe")
	}
	return Errorf(CodeInvalid, "Effect %q must be pure, idempotent, checkable or unsafe", string(e))
}

// A Tool is a description for the model and one function for the worker.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Effect      Effect        // required
	Timeout     time.Duration // zero takes the worker's default
	Approval    bool          // a person must agree to each call, unless a Policy allows it
	// Rules says that Show decides about each call by itself and returns a Ruling; Approval does not count then.
	Rules bool
	// Undoable says that a call changes nothing but files of the workspace or notes, and that rein can undo it.
	Undoable bool
	// Writes says that a pure tool writes rein's own tables: its calls may return a Commit.
	Writes   bool
	Polling  bool // asking again and again is its use: the loop guard lets it
	Internal bool // for flows, never for models; it must be pure
	// Tree says that a call may start runs below its own, wait for them and send messages to runs of its tree: it
	// gets an Invocation.Tree. It must be pure; what it does there is recorded.
	Tree bool
	// Asks says that a call may ask people something before it is over: it gets an Invocation.Ask.
	Asks bool
	// Consults says that a call may have the run's model write something before it is over: it gets an Invocation.Consult.
	Consults bool
	// Code says that a call can look into the files of a workspace, where code is: flows that are not to read
	// code do not get it.
	Code bool
	// Family is the group of tools that it belongs to, by which roles may approve calls; empty: see FamilyName.
	Family string
	// Server names the MCP server that the tool belongs to; empty: it is rein's or the program's own.
	Server string
	// Like names a tool that shows or does the same: a Policy that asks for that one, or denies it, means
	// this one too.
	Like string
	// Trusted lists the arguments that the runtime fills in from the task, over whatever the model
	// wrote: names of TrustedFields. They are not in the Schema.
	Trusted []string
	// Pinned lists the arguments that Show fills in, over whatever the model wrote: they name the very
	// thing that was shown, so that Do can refuse to do it to any other. They are not in the Schema.
	// Show is called before every call of such a tool, also if nobody has to approve it.
	Pinned []string

	Do func(context.Context, Invocation) (Done, error)

	// Ask, in place of Do, makes the call a question to a person; the result is the answer.
	Ask func(args json.RawMessage) (Question, error)

	// Show, if not nil, returns what a person is shown who is asked to approve this call, in place of the
	// arguments themselves, and what pins it. The approval is bound to both: if Show returns something else
	// by the time of the call, the person is asked again. If it fails, the call is refused:
	// nobody approves what cannot be shown.
	Show func(context.Context, Invocation) (Shown, error)

	// Check tells whether the call with this key happened. Only checkable tools have it.
	Check func(context.Context, Invocation) (CheckState, Done, error)
}

// ServerFamily is the family of all tools of MCP servers: a server chooses its name and those of its tools, and must not
// choose what roles may do with them.
const ServerFamily = "mcp"

// FamilyName is the family of the tool: what it says itself, or the part of its name before the first dot.
func (t Tool) FamilyName() string {
	switch {
	case t.Server != "":
		return ServerFamily
	case t.Family != "":
		return t.Family
	}
	family, _, _ := strings.Cut(t.Name, ".")
	return family
}

// TrustedFields names what Tool.Trusted may list, with where it comes from.
var TrustedFields = map[string]func(Task) string{
	"household": func(t Task) string { return t.Household },
	"user":      func(t Task) string { return t.User },
	"session":   func(t Task) string { return t.Session },
	"zone":      func(t Task) string { return t.Zone },
	"language":  func(t Task) string { return t.Language },
}

// Shown is what a person is shown of a call.
type Shown struct {
	// Say asks whether to make the call, in one sentence in the language of the task; empty: rein asks "Allow NAME?".
	Say  string
	Text string
	// Pin has the arguments of Tool.Pinned: what Do compares, where the effect happens, with what there
	// is by then. Whatever two things look alike in the Text must differ here.
	Pin map[string]string
	// Ruling is what the tool decides about this call, if it is one that Rules.
	Ruling Ruling
	// Hazard says why a person is asked about this call in every mode, in words for people; empty: the mode decides.
	Hazard string
	// Foreign says that the call changes what belongs to somebody else in the household, such as the event of another
	// user. A role that approves only its own, such as a child, may not approve it.
	Foreign bool
}

// A Ruling is what a tool decides about one call. A Policy can make it stricter.
type Ruling struct {
	Verdict Verdict
	Why     string // a sentence without a full stop, for people: which rule decided
	// Contained says that the call runs in a sandbox and gets nothing from outside it: no network, no other path.
	Contained bool
	// Session and Always are what a person can allow beside this one call, exactly as they are shown it: for the
	// session, and for good. Empty: they cannot.
	Session, Always []string
}

// An Invocation is one call as a tool sees it.
type Invocation struct {
	Run  RunID
	Step StepKey
	Key  string // the same for every attempt at one call
	Args json.RawMessage
	Task *Task // of the run; not to be changed
	// Reach says which files the call may use; nil: none. The worker sets it.
	Reach Reach
	// Granted is what people allowed beforehand; the engine sets it for tools that Rule.
	Granted Granted
	// Approved says that a person was shown this call and agreed to it.
	Approved bool
	// Say shows people a piece of output while the call goes on. It keeps nothing: what matters is in Done. Nil if
	// nobody can see it.
	Say func(text string)
	// Tree is set for tools with Tool.Tree.
	Tree Tree
	// Ask is set for tools with Tool.Asks. It puts a question to a person and returns the answer, which the log keeps. The
	// call is held up meanwhile, and the run is not parked: after ten minutes at the latest the answer is AskExpired.
	// AskWithdrawn: nobody can be asked now.
	Ask func(context.Context, Question) (Answer, error)
	// Consult is set for tools with Tool.Consults. It sends the run's model these messages, without tools and without
	// anything of the run, and returns the reply. The run pays for it, and the log keeps it.
	Consult func(ctx context.Context, messages []Message, maxTokens int64) (Message, error)
}

// Granted is what people allowed beforehand of one tool, in one session and workspace: see Ruling.
type Granted struct{ Session, Always []string }

// Done is what a tool returns.
type Done struct {
	Text string
	Data json.RawMessage
	// FromPerson says that the text is what the user wrote, such as a skill of theirs: a model may
	// follow it. Anything else is outside text.
	FromPerson bool
	// Evidence says what of Data may be cited; empty: nothing.
	Evidence Evidence
	// Images are shown to a model that can see, and described to one that cannot. A tool sets Data, and Name if the
	// image comes from a file; rein finds the type and the size in the data, whatever the tool says.
	Images []Image
	// Files become files of the run's session. A tool sets Name, Type and Data.
	Files []Artifact
	// Commit, if not nil, writes the tool's effect to our own tables. It runs inside the transaction
	// that records the result, so both happen or neither does, and the call itself is pure.
	Commit func(context.Context, Tx) error
}

// Evidence says what the data of a result is, for flows that check citations. Only the tool knows: how a
// text looks proves nothing, because whoever wrote it chose how it looks.
type Evidence string

const (
	EvidenceNone Evidence = "none" // nothing in it can be cited
	EvidenceHits Evidence = "hits" // {"data": [{"path", "section", "snippet", "score", "start", "end", "hash"}]}, of notes
	EvidenceNote Evidence = "note" // {"text", "meta": {"path", "section", "start", "end", "hash"}}
	EvidenceFile Evidence = "file" // {"path"}: the text comes from that file
	// EvidenceUnsaid is for replayed results that are older than this field.
	EvidenceUnsaid Evidence = "unsaid"
)

// Tx is the transaction of an append, as far as a tool may use it.
type Tx interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// CheckState is what a checkable tool knows about an earlier call.
type CheckState string

const (
	CheckHappened CheckState = "happened"
	CheckNot      CheckState = "not"
	CheckUnknown  CheckState = "unknown"
)

// A Model answers prompts.
type Model interface {
	// Info returns what is known of the model beforehand.
	Info() ModelInfo
	// Generate answers a request. If show is not nil it is given the text as it comes, in order.
	Generate(ctx context.Context, r ModelRequest, show func(text string)) (ModelReply, error)
}

// ModelInfo bounds what one call can cost.
type ModelInfo struct {
	Name         string
	Window       int64 // tokens of prompt and reply together; zero: not known
	MaxOutput    int64 // tokens of one reply
	InputMicros  int64 // price of a million tokens, in millionths of the currency unit
	OutputMicros int64
	// Prices of input that is read from the provider's cache and written to it; zero: as input.
	CachedMicros     int64
	CacheWriteMicros int64
	TextOnly         bool   // it knows no tools: they are written into the text
	NativeOnly       bool   // they are not, whatever its provider says
	NoText           bool   // it reads no calls, results and tools that are written into a text: renderings do not count for it
	Sees             bool   // it takes images; to a model that does not, images are described in words
	Account          string // models of one account share its limits; empty: no limits are known
	Local            bool   // this machine serves it: nobody's rate limits are used up
	// A call is cut when its provider sends nothing for Silence, and when the whole takes longer than
	// Whole. Zero: the worker's limits.
	Silence, Whole time.Duration
}

// A ModelRequest is a prompt with its tools looked up.
type ModelRequest struct {
	Prompt
	Offered []Tool
	// Run, Step and Attempt name the call for logs and scripts; no model may answer differently by them.
	Run     RunID
	Step    StepKey
	Attempt int
	// Heard, if it is set, is told of every sign of life: a model calls it when anything comes from its
	// provider, also what is not shown. It may be called at any time and by many at once.
	Heard func() `json:"-"`
	// Said, if it is set, returns all that the model has shown in this call, as it was shown. A model that shows the
	// text of its reply and nothing else may take it from there and need not keep a copy while it comes. It is called
	// before Generate returns; later it returns nothing.
	Said func() string `json:"-"`
	// Talk, if it is set, is the conversation that the messages are a part of; see Talk.
	Talk *Talk `json:"-"`
	// Load, if it is set, returns the data of an image that the messages name by its hash; see Image.
	Load func(context.Context, Hash) ([]byte, error) `json:"-"`
}

// Alive says that something came from the provider.
func (r ModelRequest) Alive() {
	if r.Heard != nil {
		r.Heard()
	}
}

// A Talk is a conversation that grows from one request to the next: what is message i of one request of a talk is
// message i of all of them that have so many. A model may keep there what it made of the messages, so that it makes it
// once. The talk ends with the drive of its run in this process, and what is kept with it. A nil Talk keeps nothing.
type Talk struct {
	mu   sync.Mutex
	kept any
}

// Take returns what was kept, or nil, and keeps it no more: whoever takes it has it alone. A call that was given up may
// still be under way when the next one begins.
func (t *Talk) Take() any {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept
	t.kept = nil
	return kept
}

// Keep keeps something until the next request.
func (t *Talk) Keep(what any) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = what
}

// A ModelReply is a model's answer.
type ModelReply struct {
	Message Message
	Usage   *Usage // nil: the provider did not say; the bound counts as used
	Model   string // the model that answered
	Pace    *Pace  // what the provider said of its limits, if it did
}

// Pace is what a provider allows from now on.
type Pace struct {
	Requests, Tokens Allowance
}

// An Allowance is how much of something is left of a window. Zero parts were not told.
type Allowance struct {
	Limit int64         // of a whole window
	Left  int64         // of the present one
	Known bool          // Left was told, also if it is zero
	Reset time.Duration // until the window is whole again
}
