package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/journal/feed"
	"rein/server/port"
	"rein/server/wire"
)

// lasting is the context of what is carried out even if the one who asked has gone.
func lasting(r *http.Request) (context.Context, context.CancelFunc) {
	return wire.Lasting(r.Context())
}

// startRun starts a run for its sender. Starting it again is the same run. If the sender wants a stream, the
// answer is the run's own, from its beginning; whatever is refused is refused before the run starts.
func (s *server) startRun(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewRun
	if err := wire.ReadLongJSON(w, r, &body, api.MaxRun); err != nil {
		return err
	}
	return s.starts(w, r, body, who, func(*rein.Task) {})
}

// mayStream refuses a start whose answer is a stream that its sender may not read.
func mayStream(r *http.Request, who rein.Identity) error {
	if accepts(r, eventStream) && !who.May(rein.ScopeRead) {
		return lacks(who, rein.ScopeRead)
	}
	return nil
}

// startReplies and startQuery are those of an operation that starts a run.
func startReplies() []reply {
	return []reply{
		{status: http.StatusCreated, value: api.Started{}},
		{status: http.StatusCreated, media: eventStream},
		{status: http.StatusOK, value: api.Started{}},
		{status: http.StatusOK, media: eventStream},
	}
}

func startQuery() []parameter {
	return []parameter{{name: "tree", about: "for a stream: include all runs below this one", flag: true}}
}

// starts starts the run of a body that was read. complete adds to its task what only the server may say.
func (s *server) starts(w http.ResponseWriter, r *http.Request, body api.NewRun, who rein.Identity, complete func(*rein.Task)) error {
	if err := mayStream(r, who); err != nil {
		return err
	}
	id, err := newID(r, body.ID, who)
	if err != nil {
		return err
	}
	task, err := s.taskOf(body.Preset, body.Task, who)
	if err != nil {
		return err
	}
	complete(&task)
	coming := s.coming(r, id)
	defer coming.Leave()
	made := body.ID == "" && len(r.Header.Values(idempotencyKey)) == 0 // the ID, here: nobody has one like it
	status, info, err := s.start(r, id, made, task, who)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/v1/runs/"+url.PathEscape(string(id)))
	task.Mode = info.Mode // that of its session, if it named none
	started := api.Started{RunInfo: s.seenInfo(info), MayAsk: s.Catalogue.MayAsk(task)}
	if coming != nil {
		s.streamStarted(w, r, status, started, coming)
		return nil
	}
	return answer(w, status, started)
}

// start starts a run, or finds it, and returns which by the status of the answer. It is not cut off when its
// sender goes. A run whose ID was just made is not looked for.
func (s *server) start(r *http.Request, id rein.RunID, made bool, task rein.Task, who rein.Identity) (int, rein.RunInfo, error) {
	ctx, cancel := lasting(r)
	defer cancel()
	status := http.StatusCreated
	if !made {
		switch info, err := s.Store.Run(ctx, id); {
		case err == nil && (info.User != who.User || info.Household != who.Household):
			return 0, info, rein.Errorf(rein.CodeConflict, "run ID %q is taken: choose another", string(id))
		case err == nil:
			status = http.StatusOK
		case rein.CodeOf(err) != rein.CodeNotFound:
			return 0, info, err
		}
	}
	if err := cmp.Or(s.maySpeak(ctx, task.Session, who), s.mayName(ctx, task, who), s.mayFork(ctx, task.Fork, who)); err != nil {
		return 0, rein.RunInfo{}, err
	}
	if status == http.StatusCreated {
		if err := s.checkFork(ctx, task.Fork, who); err != nil {
			return 0, rein.RunInfo{}, err
		}
	}
	info, err := s.Engine.Start(ctx, id, task)
	if err != nil {
		return 0, info, taken(cmp.Or(task.Session, string(id)), err)
	}
	return status, info, nil
}

// coming follows the run that a request starts from before it is looked for, if its answer is a stream; else nil.
func (s *server) coming(r *http.Request, id rein.RunID) *feed.Coming {
	if !accepts(r, eventStream) {
		return nil
	}
	return s.Feed.Coming(id, s.streamOptions(r))
}

func (s *server) streamOptions(r *http.Request) feed.Options {
	return feed.Options{Tree: flag(r, "tree"), Idle: s.Heartbeat}
}

// streamStarted answers a start with the run's stream. Its first message is what the answer would be
// otherwise; what follows is the stream of GET /v1/runs/{id}/events, which continues from any of its cursors.
func (s *server) streamStarted(w http.ResponseWriter, r *http.Request, status int, started api.Started, coming *feed.Coming) {
	out := stream{wire.NewStream(w)}
	w.WriteHeader(status)
	// The run has begun: its first event is there, and leaves with this.
	if out.QueueBegin("", wire.Message{Event: api.StreamStarted, Data: started}) {
		lines := coming.Follow(r.Context(), status == http.StatusCreated) // it was looked for after this began to listen
		s.followLines(r.Context(), lines, started.ID, s.streamOptions(r), out)
	}
}

// mayFork answers at once, instead of in the new run, that the forked run does not exist for its sender.
func (s *server) mayFork(ctx context.Context, f *rein.Fork, who rein.Identity) error {
	if f == nil {
		return nil
	}
	info, err := s.Store.Run(ctx, f.Run)
	switch {
	case err == nil && info.User == who.User && info.Household == who.Household:
		return nil
	case err == nil && who.Sees(info.Household, info.User):
		return rein.Errorf(rein.CodeForbidden, "run %q belongs to %s: only your own runs can be forked", string(f.Run), info.User)
	case err == nil || rein.CodeOf(err) == rein.CodeNotFound:
		return rein.Errorf(rein.CodeNotFound, "there is no run %q", string(f.Run))
	}
	return err
}

// taskOf is the task of a request, with its sender. The engine completes it when it starts.
func (s *server) taskOf(preset string, task rein.Task, who rein.Identity) (rein.Task, error) {
	if task.User != "" && task.User != who.User || task.Household != "" && task.Household != who.Household {
		return task, rein.Errorf(rein.CodeForbidden, "the task names user %.80q of household %.80q, but you are %q of %q: leave both out", task.User, task.Household, who.User, who.Household)
	}
	if len(task.Policy.Allow) > 0 && !lasts(who) {
		return task, rein.Errorf(rein.CodeForbidden, "policy.allow approves calls in advance, which a %s cannot: leave it out", who.Role)
	}
	if len(task.Policy.Allow) > 0 && !who.May(rein.ScopeAnswer) {
		return task, rein.Errorf(rein.CodeForbidden, "policy.allow approves calls in advance, which needs the scope %q: leave it out", rein.ScopeAnswer)
	}
	if task.Fork != nil && len(task.Fork.Allow) > 0 && (who.Role == rein.Child || who.Role == rein.Guest) {
		return task, rein.Errorf(rein.CodeForbidden, "fork.allow lets a fork change things, which a %s cannot: leave it out", who.Role)
	}
	if task.Fork != nil && len(task.Fork.Allow) > 0 && !who.May(rein.ScopeAnswer) {
		return task, rein.Errorf(rein.CodeForbidden, "fork.allow lets a fork change things, which needs the scope %q: leave it out", rein.ScopeAnswer)
	}
	task, err := withMode(task, who)
	if err != nil {
		return task, err
	}
	if task.Fork == nil && (len(task.Notices) > 0 || !task.Start.IsZero() || task.Revision != 0 || task.Parent != "" || task.Rules != "" || len(task.CodeTools) > 0) {
		return task, rein.Errorf(rein.CodeInvalid, "rein sets the fields notices, start, revision, parent, rules and code_tools of a task: leave them out")
	}
	if task.Branch != nil {
		return task, rein.Errorf(rein.CodeInvalid, "rein sets the field branch of a task: leave it out, and send the task to POST /v1/sessions/{id}/branches")
	}
	if task.Folder != "" && !filepath.IsLocal(filepath.FromSlash(task.Folder)) {
		return task, rein.Errorf(rein.CodeInvalid, "folder %.200q must be a path inside the workspace, with slashes", task.Folder)
	}
	if err := checkSession(task.Session); task.Session != "" && err != nil {
		return task, err
	}
	if preset != "" && task.Preset != "" && preset != task.Preset {
		return task, rein.Errorf(rein.CodeInvalid, "the request names the preset %.80q, and its task names %.80q: leave one of them out", preset, task.Preset)
	}
	task.User, task.Household, task.Preset = who.User, who.Household, cmp.Or(preset, task.Preset)
	return task, nil
}

// idempotencyKey names the header by which a request that starts something can be sent again.
const idempotencyKey = "Idempotency-Key"

const maxKey = 200

// newID returns the ID of the run that a request starts: the one it names, one that follows from its
// idempotency key and its sender, or a new one.
func newID(r *http.Request, id rein.RunID, who rein.Identity) (rein.RunID, error) {
	key, err := keyOf(r)
	switch {
	case err != nil:
		return "", err
	case id != "" && key != "":
		return "", rein.Errorf(rein.CodeInvalid, "the request has an ID and an %s. Each of them makes it safe to repeat: send only one", idempotencyKey)
	case key != "":
		return port.KeyedPrefix + rein.RunID(digest(who.Household, who.User, key)), nil
	case id == "":
		return api.NewRunID(time.Now()), nil
	case id.Depth() > 0:
		return "", rein.Errorf(rein.CodeInvalid, "run ID %.600q is the ID of a child: only its parent can start it. Leave the ID out, or choose another", string(id))
	}
	return id, port.CheckNewID(id)
}

// keyOf reads the idempotency key of a request; empty: it has none.
func keyOf(r *http.Request) (string, error) {
	switch keys := r.Header.Values(idempotencyKey); {
	case len(keys) == 0:
		return "", nil
	case len(keys) > 1 || keys[0] == "" || len(keys[0]) > maxKey || strings.ContainsFunc(keys[0], func(c rune) bool { return c < ' ' || c > '~' }):
		return "", rein.Errorf(rein.CodeInvalid, "%s must be one line of 1 to %d printable ASCII characters", idempotencyKey, maxKey)
	default:
		return keys[0], nil
	}
}

// digest is a name that follows from the parts.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
