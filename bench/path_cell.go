package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"

	"rein"
	"rein/engine"
)

// pathCell measures how long a run takes from place to place on its way to its first token: that of the bare loop, and
// that of rein in process or, if there is a server, through its API.
func pathCell(ctx context.Context, s spec) (f figures, err error) {
	s.Steps = 0
	m := &marks{}
	raw := &rawLoop{client: newClient(s), show: func(string) { m.hit("shown") }}
	raw.client.http = m.client(raw.client.http)
	rein, places, err := tracedPeer(ctx, s, m)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rein.close()) }()
	ways := []struct {
		name   string
		peer   peer
		places []place
		took   map[string][]float64
	}{{rawPeer, raw, passedRaw, map[string][]float64{}}, {"rein", rein, places, map[string][]float64{}}}
	f = figures{}
	stop, err := profile(s)
	if err != nil {
		return nil, err
	}
	meter := startMeter(s)
	for n := range s.Warm + s.Runs {
		for _, w := range ways {
			m.take()
			m.hit(w.places[0].key)
			if err := checkRun(ctx, s, w.peer, n); err != nil {
				return nil, err
			}
			at := m.take()
			if p, ok := w.peer.(*apiPeer); ok {
				there, err := p.usage(ctx, "marks=1")
				if err != nil {
					return nil, err
				}
				for name, t := range there {
					at[name] = t
				}
			}
			if n < s.Warm {
				continue
			}
			if err := between(at, w.places, w.took); err != nil {
				return nil, err
			}
		}
	}
	meter.read(f)
	for _, w := range ways {
		for name, took := range w.took {
			f.spread(w.name+"_"+name, took)
		}
	}
	return f, stop()
}

// between adds how long it took from each place to the next, and all of it, in µs.
func between(at figures, places []place, took map[string][]float64) error {
	for i, p := range places {
		if at[p.key] == 0 {
			return fmt.Errorf("a run did not pass the place %q", p.key)
		}
		if i > 0 {
			took[p.key] = append(took[p.key], (at[p.key]-at[places[i-1].key])/1000)
		}
	}
	took["all"] = append(took["all"], (at[places[len(places)-1].key]-at[places[0].key])/1000)
	return nil
}

// tracedPeer is rein in process, or through the API of a server that traces its runs.
func tracedPeer(ctx context.Context, s spec, m *marks) (peer, []place, error) {
	if s.Server != "" {
		p := &apiPeer{caller: newCaller(s), spec: s, stream: true, show: func(string) { m.hit("got") }}
		return p, passedServed, nil
	}
	model, err := shippedModel(s, m.client(newClient(s).http))
	if err != nil {
		return nil, nil, err
	}
	r, err := openRig(ctx, filepath.Join(s.Dir), model, m.durable, func(o *engine.Options) {
		asShipped(o)
		o.OnDelta = func(rein.Delta) {}
		m.trace(o)
	})
	return &shipped{r, s}, passed, err
}

// tell answers with the times of the run under way.
func (m *marks) tell(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("marks") == "" {
			next.ServeHTTP(w, r)
			return
		}
		answerFigures(w, m.take())
	})
}
