package api_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
)

// codes reads every code of the vocabulary from its source, so that a new one cannot be left out.
func codes(t *testing.T) (out []rein.Code) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "Code") {
			return true
		}
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rein.Code(text))
		return false
	})
	if len(out) < 20 {
		t.Fatalf("only %d codes were found", len(out))
	}
	return out
}

// TestProblems takes every code over the wire and back.
func TestProblems(t *testing.T) {
	for _, code := range codes(t) {
		err := fmt.Errorf("start run r1: %w", &rein.Error{Code: code, Msg: "it did not work", Dim: "tokens"})
		p := api.ProblemOf(err)
		if p.Code != code || p.Status < 400 || p.Status != api.Status(code) || p.Title == "" || p.Hint == "" || p.Detail != "start run r1: it did not work" {
			t.Errorf("problem of %s is %+v", code, p)
		}
		back, ok := errors.AsType[*rein.Error](p.Err())
		if !ok || back.Code != code || back.Msg != p.Detail || back.Dim != "tokens" {
			t.Errorf("%s comes back as %+v", code, p.Err())
		}
		if !slices.Contains(codes(t), api.CodeOf(p.Status)) || api.Status(api.CodeOf(p.Status)) != p.Status {
			t.Errorf("status %d of %s stands for %s", p.Status, code, api.CodeOf(p.Status))
		}
	}
}

func TestUnknownErrors(t *testing.T) {
	p := api.ProblemOf(errors.New("open /home/ann/secret: no such file"))
	if p.Status != http.StatusInternalServerError || strings.Contains(p.Detail, "secret") || p.Detail == "" {
		t.Errorf("problem is %+v", p)
	}
	if p := api.ProblemOf(&rein.Error{Code: "new", Msg: "x"}); p.Code != rein.CodeInternal {
		t.Errorf("an unknown code is told as %+v", p)
	}
	for status, code := range map[int]rein.Code{
		400: rein.CodeInvalid, 401: rein.CodeUnauthenticated, 403: rein.CodeForbidden, 404: rein.CodeNotFound, 405: rein.CodeInvalid,
		409: rein.CodeConflict, 413: rein.CodeInvalid, 418: rein.CodeInvalid, 500: rein.CodeInternal, 502: rein.CodeProvider,
		503: rein.CodeUnavailable, 504: rein.CodeTimeout, 599: rein.CodeInternal, 301: rein.CodeInternal,
	} {
		if got := rein.CodeOf(api.Problem{Status: status}.Err()); got != code {
			t.Errorf("status %d is %s, want %s", status, got, code)
		}
	}
}

func TestNewRunID(t *testing.T) {
	now := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	var ids []rein.RunID
	for i := range 1000 {
		id := api.NewRunID(now.Add(time.Duration(i) * time.Millisecond))
		if err := id.Check(); err != nil || id.Depth() != 0 {
			t.Fatalf("%s: %v", id, err)
		}
		ids = append(ids, id)
	}
	if !slices.IsSorted(ids) || len(slices.Compact(ids)) != 1000 {
		t.Errorf("the IDs are not in the order of time: %v", ids[:10])
	}
	if a, b := api.NewRunID(now), api.NewRunID(now); a == b {
		t.Errorf("%s comes twice", a)
	}
}
