package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"rein"
	"rein/api"
	"rein/dispatch/local"
	"rein/engine"
	"rein/follow/telemetry"
	"rein/household/people"
	"rein/journal/feed"
	"rein/server"
	"rein/server/access"
	"rein/server/port"
	"rein/store"
)

// An apiServer is a rig behind its API, as rein serve wires it: tokens and limits before it, and a log
// of requests. Only the limits are out of the way.
type apiServer struct {
	*rig
	tally  *tally
	feed   *feed.Feed
	access *access.Access
	people *people.People
	listen net.Listener
	marks  *marks // nil: its runs are not traced
}

// tokenFile is where a server leaves the token for its clients, in its folder.
const tokenFile = "token"

// serveAPI tells its port and serves until the parent is gone.
func serveAPI(ctx context.Context, s spec) (err error) {
	a, err := openServer(ctx, s)
	if err != nil {
		return err
	}
	stopProfile, err := profile(s)
	if err != nil {
		return err
	}
	serving, stop := context.WithCancel(ctx)
	defer stop()
	if s.Profile != "" {
		go profileHeap(serving, s.Profile+".heap.prof")
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(serving, a.listen, a.handler(), nil) }()
	if err := tell(figures{"port": float64(a.listen.Addr().(*net.TCPAddr).Port)}); err != nil {
		return err
	}
	err = errors.Join(untilAlone(), stopProfile())
	a.feed.Close()
	stop()
	err = errors.Join(err, <-served)
	a.access.Close()
	return errors.Join(err, a.close())
}

func openServer(ctx context.Context, s spec) (a *apiServer, err error) {
	a = &apiServer{tally: newTally()}
	var client *http.Client
	committed := a.tally.add
	if s.Traced {
		a.marks = &marks{}
		client, committed = a.marks.client(newClient(s).http), a.marks.durable
	}
	model, err := shippedModel(s, client)
	if err != nil {
		return nil, err
	}
	a.rig, err = openRig(ctx, s.Dir, model, committed, func(o *engine.Options) {
		a.feed = feed.New(o.Store.(store.Reader)) // it is the rig's: a whole store
		o.OnDelta = a.feed.OnDelta
		asShipped(o)
		o.Dispatch = &local.Dispatcher{Limit: s.Places}
		if s.Parked {
			atOnce(o)
		}
		if a.marks != nil {
			a.marks.trace(o)
		}
	})
	if err != nil {
		return nil, err
	}
	a.people = &people.People{Tables: a.store}
	if err := a.people.Begin(ctx); err != nil {
		return nil, err
	}
	token, _, err := a.people.NewToken(ctx, rein.Host(), people.TokenRequest{Label: "bench"})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(s.Dir, tokenFile), []byte(token), 0o600); err != nil {
		return nil, err
	}
	if a.listen, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	a.access, err = access.New(access.Options{People: a.people, Listen: a.listen.Addr().String(), Limits: outOfTheWay()})
	if a.marks != nil {
		a.listen = markedListener{a.listen, a.marks}
	}
	return a, err
}

func outOfTheWay() access.Limits {
	most := access.Rate{PerSecond: 1e6, Burst: 1e6}
	return access.Limits{User: most, Credential: most, Stranger: most, Failure: most, Open: 10_000}
}

func (a *apiServer) handler() http.Handler {
	log := telemetry.NewLog(io.Discard, slog.LevelInfo, nil)
	var commands port.Commander = a.Engine
	var usage http.Handler = http.HandlerFunc(a.usage)
	if a.marks != nil {
		commands, usage = markedEngine{a.Engine, a.marks}, a.marks.tell(usage)
	}
	h := server.New(server.Options{
		Engine: commands, Store: a.store, Feed: a.feed, People: a.people, Log: log, CSRF: a.access.CSRF,
		Who: func(r *http.Request) (rein.Identity, error) {
			who, err := a.access.Who(r)
			telemetry.Caller(r.Context(), who.User, who.Via)
			return who, err
		},
		Health: func() api.Health { return api.Health{Live: a.Live()} },
		Mounts: []server.Mount{{Pattern: usagePath, Handler: usage}},
	})
	if a.marks != nil {
		h = a.marks.entered(h)
	}
	return telemetry.Requests(a.access.Wrap(h), log, nil)
}

// usagePath is where clients learn what the server's process uses. With parked=N it waits until so many
// runs have parked; with settle=1 the memory is what is left after the process has given back what it can.
const usagePath = "/bench/usage"

func (a *apiServer) usage(w http.ResponseWriter, r *http.Request) {
	if n, err := strconv.Atoi(r.FormValue("parked")); err == nil {
		if err := a.tally.until(r.Context(), rein.RunParked, n); err != nil {
			http.Error(w, fmt.Sprintf("%d runs have not parked: %v", n, err), http.StatusServiceUnavailable)
			return
		}
	}
	f := figures{
		"cpu_s": ownCPU(), "peak_kb": memory("VmHWM"), "live": float64(a.Live()),
		"followers": float64(a.feed.Followers()), "goroutines": float64(runtime.NumGoroutine()),
	}
	if r.FormValue("settle") != "" {
		f["rss_kb"] = settledRSS()
	} else {
		f["rss_kb"] = memory("VmRSS")
	}
	answerFigures(w, f)
}

func answerFigures(w http.ResponseWriter, f figures) { _ = json.NewEncoder(w).Encode(f) }
