package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
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
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	streams := accepts(r, eventStream)
	if streams && !who.May(rein.ScopeRead) {
		return lacks(who, rein.ScopeRead)
	}
	id, err := newID(r, body.ID, who)
	if err != nil {
		return err
	}
	task, err := s.taskOf(body.Preset, body.Task, who)
	if err != nil {
		return err
	}
	made := body.ID == "" && len(r.Header.Values(idempotencyKey)) == 0 // the ID, here: nobody has one like it
	status, info, err := s.start(r, id, made, task, who)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/v1/runs/"+url.PathEscape(string(id)))
	task.Mode = info.Mode // that of its session, if it named none
	started := api.Started{RunInfo: info, MayAsk: s.Catalogue.MayAsk(task)}
	if streams {
		s.streamStarted(w, r, status, started)
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
	info, err := s.Engine.Start(ctx, id, task)
	if err != nil {
		return 0, info, taken(cmp.Or(task.Session, string(id)), err)
	}
	return status, info, nil
}

// streamStarted answers a start with the run's stream. Its first message is what the answer would be
// otherwise; what follows is the stream of GET /v1/runs/{id}/events, which continues from any of its cursors.
func (s *server) streamStarted(w http.ResponseWriter, r *http.Request, status int, started api.Started) {
	out := stream{wire.NewStream(w)}
	w.WriteHeader(status)
	// The run has begun: its first event is there, and leaves with this.
	if out.QueueBegin("", wire.Message{Event: api.StreamStarted, Data: started}) {
		s.follow(r.Context(), started.ID, feed.Options{Tree: flag(r, "tree"), Idle: s.Heartbeat}, out)
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
	if len(task.Policy.Allow) > 0 && who.Role == rein.Service {
		return task, rein.Errorf(rein.CodeForbidden, "policy.allow approves calls in advance, which a service cannot: an admin can set tools.allow")
	}
	if len(task.Policy.Allow) > 0 && !who.May(rein.ScopeAnswer) {
		return task, rein.Errorf(rein.CodeForbidden, "policy.allow approves calls in advance, which needs the scope %q: leave it out", rein.ScopeAnswer)
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
