package server

import (
	"net/http"
	"strings"

	"rein"
)

// An operation is one thing that the API does. The router, the checks of a request, the OpenAPI
// document and the test of who may do what are all made of the table of operations.
type operation struct {
	method, path string
	name         string // its operationId
	tag          string // what it is about
	summary      string
	// needs is what the sender's credential must be good for; empty lets everyone in, without one.
	needs      rein.Scope
	signed     bool // a signature in the request says who sends it
	query      []parameter
	media      string // of a body that is not JSON
	body       any    // a value of the type that the body is read into; nil: it takes none
	once       bool   // it starts something: it takes an Idempotency-Key
	later      bool   // what it shows may not be there yet: 404
	unfinished bool   // it may find a run that has not ended: 409
	wide       bool   // it reads all that the sender may see: they wait for their turn
	answers    []reply
	do         handler
}

// A handler answers a request, or returns the error to be told.
type handler func(http.ResponseWriter, *http.Request, rein.Identity) error

// A parameter is one that the query of a request may have, once.
type parameter struct {
	name, about string
	words       []string // it must be one of these
	flag        bool     // it is 1 or 0
	most        int      // it is a number from 1 to this
	time        bool     // it is a time, as RFC 3339
}

// A reply is what an operation answers when all is well.
type reply struct {
	status int
	value  any    // a value of the type that is sent as JSON; nil: see media
	media  string // of what is not JSON, such as text/event-stream
	hints  bool   // it is a stream of hints
}

func ok(value any) []reply { return []reply{{status: http.StatusOK, value: value}} }

// A resource is the operations of one path.
type resource struct {
	path    string
	methods map[string]operation
}

// resources gathers operations by their path.
func resources(operations []operation) []resource {
	var all []resource
	at := map[string]int{}
	for _, o := range operations {
		i, known := at[o.path]
		if !known {
			i = len(all)
			at[o.path], all = i, append(all, resource{o.path, map[string]operation{}})
		}
		all[i].methods[o.method] = o
	}
	return all
}

// serve checks method, sender and parameters of a request before the operation sees it.
func (s *server) serve(at resource) http.Handler {
	return s.guard(func(w http.ResponseWriter, r *http.Request) error {
		o, known := at.methods[r.Method]
		if !known {
			return noMethod(w, at, r.Method)
		}
		var who rein.Identity
		if o.needs != "" {
			var err error
			if who, err = s.admit(r, o.needs); err != nil {
				return err
			}
		}
		if err := checkQuery(r, o.query); err != nil {
			return err
		}
		if o.wide {
			done, err := s.turns.take(r.Context(), who)
			if err != nil {
				return err
			}
			defer done()
		}
		return o.do(w, r, who)
	})
}

// admit says who sends a request, if they may do what needs the scope.
func (s *server) admit(r *http.Request, needs rein.Scope) (rein.Identity, error) {
	if s.Who == nil {
		return rein.Identity{}, rein.Errorf(rein.CodeForbidden, "this server does not accept requests")
	}
	who, err := s.Who(r)
	if err == nil && !who.May(needs) {
		err = lacks(who, needs)
	}
	return who, err
}

func lacks(who rein.Identity, needs rein.Scope) error {
	return rein.Errorf(rein.CodeForbidden, "this needs the scope %q: %s has the role %s and a credential for %s", needs, who.User, who.Role, list(who.Scopes))
}

func list(scopes []rein.Scope) string {
	if len(scopes) == 0 {
		return "nothing"
	}
	words := make([]string, len(scopes))
	for i, s := range scopes {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}
