package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/api"
	"rein/internal/near"
	"rein/server/wire"
)

// readBody reads the JSON of a request into value, a pointer to a struct. Everything in it must be
// known.
func readBody(w http.ResponseWriter, r *http.Request, value any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return &refusal{http.StatusUnsupportedMediaType, rein.Errorf(rein.CodeInvalid, "the body is %.60q: send JSON, with Content-Type: application/json", r.Header.Get("Content-Type"))}
	}
	data, err := wire.ReadBody(w, r, api.MaxBody)
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &refusal{http.StatusRequestEntityTooLarge, rein.Errorf(rein.CodeInvalid, "the body has more than %d bytes: send less", api.MaxBody)}
	}
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "the body cannot be read: %w", err)
	}
	return decode(data, value)
}

func decode(data []byte, value any) error {
	if err := wire.CheckValues(data); err != nil {
		return &refusal{http.StatusRequestEntityTooLarge, err}
	}
	var raw any
	if err := json.Unmarshal(data, &raw); err != nil {
		return badJSON(data, err)
	}
	if err := wire.CheckKeys(data); err != nil {
		return err
	}
	if _, ok := raw.(map[string]any); !ok {
		return rein.Errorf(rein.CodeInvalid, "the body is not a JSON object: send {…}")
	}
	if err := checkFields(raw, value); err != nil {
		return err
	}
	if err := json.Unmarshal(data, value); err != nil {
		return badJSON(data, err)
	}
	return nil
}

// badJSON says where the JSON is wrong.
func badJSON(data []byte, err error) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return rein.Errorf(rein.CodeInvalid, "the body is empty: send a JSON object")
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return rein.Errorf(rein.CodeInvalid, "the body is not JSON: byte %d: %w", e.Offset, err)
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return rein.Errorf(rein.CodeInvalid, "field %.100q is a %.60s; it must be a %s", e.Field, e.Value, kindOf(e.Type))
	}
	return rein.Errorf(rein.CodeInvalid, "the body is wrong: %w", err)
}

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
			return rein.Errorf(rein.CodeInvalid, "parameter %.60q does not exist: this takes none", name)
		case i < 0:
			return rein.Errorf(rein.CodeInvalid, "parameter %.60q does not exist; there is: %s%s", name, strings.Join(names, ", "), near.DidYouMean(name, names))
		case len(query[name]) > 1:
			return rein.Errorf(rein.CodeInvalid, "parameter %q is given %d times: give it once", name, len(query[name]))
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
