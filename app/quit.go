package app

import (
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"rein"
	"rein/api"
	"rein/server/wire"
)

// serveLogName is where a server in the background writes its log.
const serveLogName = "serve.log"

// ServeLogPath is the file that the output of rein serve --detach goes to.
func (p Place) ServeLogPath() string { return filepath.Join(p.Folder, serveLogName) }

// mostQuit is the longest that a server may take to shut down.
const mostQuit = 10 * time.Minute

// A quitter knows whether someone asked a service to shut down, and how long that may take.
type quitter struct {
	once   sync.Once
	asked  chan struct{}
	within time.Duration // set before asked is closed
}

func newQuitter() *quitter { return &quitter{asked: make(chan struct{})} }

// ask takes the first request; those after it change nothing.
func (q *quitter) ask(within time.Duration) {
	q.once.Do(func() {
		q.within = within
		close(q.asked)
	})
}

// Asked is closed when someone asked the service to shut down over the socket of its data folder.
func (s *Service) Asked() <-chan struct{} { return s.quits.asked }

// Within is how long that may take. Call it when Asked is closed.
func (s *Service) Within() time.Duration { return s.quits.within }

// quitting answers, on the socket alone, whoever asks the service to shut down.
func (s *Service) quitting(next http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /serve/quit", s.quit)
	mux.Handle("/", next)
	return mux
}

func (s *Service) quit(w http.ResponseWriter, r *http.Request) {
	var q api.Quit
	err := wire.ReadJSON(w, r, &q)
	within := time.Duration(q.Seconds) * time.Second
	if err == nil && (q.Seconds < 1 || within > mostQuit) {
		err = rein.Errorf(rein.CodeInvalid, "a server can take 1 to %d seconds to shut down, not %d", int(mostQuit.Seconds()), q.Seconds)
	}
	if err != nil {
		wire.Problem(w, err)
		return
	}
	health := api.Health{Version: Version(), PID: os.Getpid(), Data: s.place.Folder, Started: s.started, Live: s.engine.Live(), URL: s.url}
	_ = wire.Answer(w, http.StatusOK, "application/json", health) // whoever asked may have gone
	s.quits.ask(within)
}

// LeftSocket reports whether there is a socket. If nobody answers on it, the process that made it did not shut down.
func (p Place) LeftSocket() bool {
	_, err := os.Lstat(filepath.Join(p.Folder, socketName))
	return err == nil
}
