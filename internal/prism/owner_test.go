package prism

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/api"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/flow"
	"rein/follow/notify"
	"rein/household/agenda"
	"rein/household/channels"
	"rein/household/erase"
	"rein/household/feedback"
	"rein/household/lists"
	"rein/household/page"
	"rein/household/people"
	"rein/household/post"
	"rein/household/recall"
	"rein/household/schedule"
	"rein/household/shelf"
	"rein/household/workspace"
	"rein/internal/rig"
	"rein/model/offline"
	"rein/server"
	"rein/store/sqlite"
	"rein/vault"
	"rein/vault/stage"
)

// reached notes which operations of the document were asked for.
type reached struct {
	sync.Mutex
	patterns map[string]bool // method and path
}

func (r *reached) note(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		h.ServeHTTP(w, request)
		r.Lock()
		defer r.Unlock()
		r.patterns[request.Method+" "+request.Pattern] = true
	})
}

// serve starts a whole owner of data on a port of this machine, with a token for who may do everything.
func serve(t *testing.T) (address, token string, asked *reached) {
	t.Helper()
	r := rig.Open(t, rig.Options{})
	s, all := r.Store, flows.All()
	for name, f := range flow.All() {
		all[name] = f
	}
	r.Begin(engine.Options{Flows: all, Grace: engine.NoGrace, DrainGrace: engine.NoGrace, Worker: rig.Worker(offline.Model{}, nil)})
	persons := &people.People{Tables: s}
	check(t, persons.Begin(context.Background()))
	token, _, err := persons.NewToken(context.Background(), rein.Host(), people.TokenRequest{Label: "the test"})
	check(t, err)
	told, err := notify.New(notify.Options{Store: s})
	check(t, err)
	asked = &reached{patterns: map[string]bool{}}
	h := asked.note(server.New(server.Options{
		Engine: r.Engine, Store: s, Feed: r.Feed, Who: known(persons), People: persons, Shelf: &shelf.Shelf{Tables: s},
		Notes: vaults{openNotes(t), s}, Notifier: told, Accounts: s, Ceiling: rein.MaxBudget(), Checkpoints: s, Eraser: &erase.Eraser{Store: s, People: persons}, Workspaces: places{workspace.Book{Tables: s}},
		Agenda: &server.Agenda{Book: agenda.Book{Tables: s}, Zone: func() string { return "UTC" }, URL: func() string { return "http://127.0.0.1" }},
		Memory: &recall.Book{Tables: s, Find: &recall.Finder{}}, Lists: &lists.Book{Tables: s}, Jobs: &schedule.Desk{Tables: s},
		Messages: &post.Book{Tables: s}, Channels: &channels.Book{Tables: s},
		Page: &page.Book{Tables: s}, Feedback: &feedback.Book{Tables: s}, Tables: s,
		Health: func() api.Health { return api.Health{Version: "test", Data: r.Dir, Live: r.Engine.Live()} },
	}))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	r.Serve(func(ctx context.Context) error { return server.Serve(ctx, l, h, nil) })
	return "http://" + l.Addr().String(), token, asked
}

// places are workspaces without a look at the machine's folders.
type places struct{ workspace.Book }

func (p places) MayName(context.Context, rein.Identity, string) error { return nil }

func (p places) List(ctx context.Context, _ rein.Identity) ([]rein.Workspace, error) {
	return p.Book.List(ctx)
}

func (p places) Add(ctx context.Context, _ rein.Identity, w rein.Workspace, _ bool) (rein.Workspace, error) {
	return p.Book.Add(ctx, w)
}

func (p places) Remove(ctx context.Context, _ rein.Identity, name string) error {
	return p.Book.Remove(ctx, name)
}

// known recognises senders by their token.
func known(persons *people.People) func(*http.Request) (rein.Identity, error) {
	return func(r *http.Request) (rein.Identity, error) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			return rein.Identity{}, rein.Errorf(rein.CodeUnauthenticated, "send a token")
		}
		return persons.Identify(r.Context(), token)
	}
}

// notes is a vault with a place.
type notes struct {
	*vault.Vault
	path string
}

func (n notes) Path() string { return n.path }

// openNotes opens the sample vault.
func openNotes(t *testing.T) notes {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "examples", "vault"))
	check(t, err)
	root, err := os.OpenRoot(path)
	check(t, err)
	v, err := vault.Open(t.Context(), vault.Options{Root: root, Index: t.TempDir(), Still: true})
	check(t, err)
	t.Cleanup(func() {
		v.Close()
		root.Close()
	})
	check(t, v.Sync(context.Background()))
	return notes{v, path}
}

// vaults has one vault, whose changes belong to whoever asks.
type vaults struct {
	notes notes
	store *sqlite.Store
}

func (v vaults) Notes(context.Context, rein.Identity, string) (server.Notes, func(), error) {
	return v.notes, func() {}, nil
}

func (v vaults) Desk(_ context.Context, who rein.Identity, _ string) (stage.Person, func(), error) {
	root, err := os.OpenRoot(v.notes.path)
	if err != nil {
		return stage.Person{}, nil, err
	}
	desk := stage.New(v.store, root, stage.Options{})
	return stage.Person{Desk: desk, Household: who.Household, User: who.User, Reach: anywhere{}}, func() { root.Close() }, nil
}

func (v vaults) Staged(ctx context.Context, who rein.Identity) ([]string, error) {
	return stage.Sessions(ctx, v.store, who.Household, who.User)
}

func (v vaults) WorkspaceOf(context.Context, rein.Identity, string) (string, error) {
	return workspace.Default, nil
}

// anywhere allows everything.
type anywhere struct{}

func (anywhere) Path(string) error                    { return nil }
func (anywhere) Session(string, string, string) error { return nil }
