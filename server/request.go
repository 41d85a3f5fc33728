package server

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/internal/near"
)

// checkQuery refuses parameters that an operation does not take, those that are given twice and those
// whose value makes no sense.
func checkQuery(r *http.Request, known []parameter) error {
	query, err := parseQuery(r)
	if err != nil {
		return err
	}
	names := make([]string, len(known))
	for i, p := range known {
		names[i] = p.name
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		i := slices.Index(names, name)
		switch {
		case len(known) == 0:
			return rein.Errorf(rein.CodeInvalid, "parameter %.60q does not exist: this request has no parameters", name)
		case i < 0:
			return rein.Errorf(rein.CodeInvalid, "parameter %.60q does not exist; available: %s%s", name, strings.Join(names, ", "), near.DidYouMean(name, names))
		case len(query[name]) > 1:
			return rein.Errorf(rein.CodeInvalid, "parameter %q is there %d times: send it once", name, len(query[name]))
		}
		if err := known[i].check(query.Get(name)); err != nil {
			return err
		}
	}
	return nil
}

// check says what is wrong with a value of the parameter, if anything. An empty one is as none.
func (p parameter) check(v string) error {
	switch {
	case v == "":
	case p.flag && !slices.Contains(flags, v):
		return rein.Errorf(rein.CodeInvalid, "parameter %s is %.60q; it must be 1 or 0", p.name, v)
	case p.most > 0:
		if n, err := strconv.Atoi(v); err != nil || n < 1 || n > p.most {
			return rein.Errorf(rein.CodeInvalid, "parameter %s is %.60q; it must be a number from 1 to %d", p.name, v, p.most)
		}
	case p.time:
		if _, err := time.Parse(time.RFC3339, v); err != nil {
			return rein.Errorf(rein.CodeInvalid, "parameter %s is %.60q; it must be a time such as 2026-01-31T08:00:00Z", p.name, v)
		}
	case p.words != nil && !slices.Contains(p.words, v):
		return rein.Errorf(rein.CodeInvalid, "parameter %s is %.60q; it must be one of: %s%s", p.name, v, strings.Join(p.words, ", "), near.DidYouMean(v, p.words))
	}
	return nil
}

var flags = []string{"1", "0", "true", "false"}

// flag reads a parameter that is set or not.
func flag(r *http.Request, name string) bool {
	v := r.URL.Query().Get(name)
	return v == "1" || v == "true"
}

// number reads a parameter that is a number.
func number(r *http.Request, name string, otherwise int) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil {
		return otherwise
	}
	return n
}

// moment reads a parameter that is a time.
func moment(r *http.Request, name string) time.Time {
	t, _ := time.Parse(time.RFC3339, r.URL.Query().Get(name)) // none, or it was checked
	return t
}

func parseQuery(r *http.Request) (url.Values, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "the parameters cannot be read: %w", err)
	}
	return query, nil
}
