package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/api"
	"rein/internal/near"
)

// readBody reads the JSON of a request into value, a pointer to a struct. Everything in it must be
// known.
func readBody(w http.ResponseWriter, r *http.Request, value any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return &refusal{http.StatusUnsupportedMediaType, rein.Errorf(rein.CodeInvalid, "the body is %.60q: send JSON, with Content-Type: application/json", r.Header.Get("Content-Type"))}
	}
	if n, ok := w.(*noted); ok {
		w = n.ResponseWriter // the server's own knows how to end a request that is too large
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, api.MaxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return &refusal{http.StatusRequestEntityTooLarge, rein.Errorf(rein.CodeInvalid, "the body has more than %d bytes: send less", api.MaxBody)}
	}
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "the body cannot be read: %w", err)
	}
	return decode(data, value)
}

func decode(data []byte, value any) error {
	var raw any
	if err := json.Unmarshal(data, &raw); err != nil {
		return badJSON(data, err)
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
		return rein.Errorf(rein.CodeInvalid, "field %q is a %s; it must be a %s", e.Field, e.Value, kindOf(e.Type))
	}
	return rein.Errorf(rein.CodeInvalid, "the body is wrong: %w", err)
}

// checkQuery refuses parameters that a route does not take, and those that are given twice.
func checkQuery(r *http.Request, known []string) error {
	query, err := parseQuery(r)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		switch {
		case len(known) == 0:
			return rein.Errorf(rein.CodeInvalid, "parameter %.60q does not exist: this takes none", name)
		case !slices.Contains(known, name):
			return rein.Errorf(rein.CodeInvalid, "parameter %.60q does not exist; there is: %s%s", name, strings.Join(known, ", "), near.DidYouMean(name, known))
		case len(query[name]) > 1:
			return rein.Errorf(rein.CodeInvalid, "parameter %q is given %d times: give it once", name, len(query[name]))
		}
	}
	return nil
}

// flag reads a parameter that is set or not.
func flag(r *http.Request, name string) (bool, error) {
	switch v := r.URL.Query().Get(name); v {
	case "", "0", "false":
		return false, nil
	case "1", "true":
		return true, nil
	default:
		return false, rein.Errorf(rein.CodeInvalid, "parameter %s is %.60q; it must be 1 or 0", name, v)
	}
}

// number reads a parameter from 1 to most.
func number(r *http.Request, name string, otherwise, most int) (int, error) {
	v := r.URL.Query().Get(name)
	if v == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > most {
		return 0, rein.Errorf(rein.CodeInvalid, "parameter %s is %.60q; it must be a number from 1 to %d", name, v, most)
	}
	return n, nil
}

// word reads a parameter that must be one of the words; empty if it is not given.
func word(r *http.Request, name string, words []string) (string, error) {
	v := r.URL.Query().Get(name)
	if v != "" && !slices.Contains(words, v) {
		return "", rein.Errorf(rein.CodeInvalid, "parameter %s is %.60q; it must be one of: %s%s", name, v, strings.Join(words, ", "), near.DidYouMean(v, words))
	}
	return v, nil
}
