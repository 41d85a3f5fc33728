package server

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/server/openapi"
)

// TestDocumentHasEveryOperation compares the document with the table.
func TestDocumentHasEveryOperation(t *testing.T) {
	d, ids := OpenAPI(), map[string]bool{}
	operations := (&server{}).operations()
	for _, o := range operations {
		got, ok := d.Paths[plainPath(o.path)][strings.ToLower(o.method)]
		if !ok || got.ID != o.name || got.Scope != string(o.needs) || (got.Body != nil) != (o.body != nil || o.media != "") {
			t.Errorf("%s %s is described as %+v", o.method, o.path, got)
		}
		if ids[o.name] || o.name == "" || o.tag == "" || o.summary == "" || strings.HasSuffix(o.summary, ".") {
			t.Errorf("%s %s: name %q, tag %q, summary %q", o.method, o.path, o.name, o.tag, o.summary)
		}
		ids[o.name] = true
		if open := got.Security != nil; open != (o.needs == "") {
			t.Errorf("%s: without a credential: %v, but it needs %q", o.name, open, o.needs)
		}
	}
	n := 0
	for _, at := range d.Paths {
		n += len(at)
	}
	if n != len(operations) {
		t.Errorf("the document has %d operations, the table %d", n, len(operations))
	}
}

// TestReferences finds every component that something refers to, and nothing that is empty.
func TestReferences(t *testing.T) {
	text, err := OpenAPI().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	refs := regexp.MustCompile(`"\$ref": "#/([^"]+)"`).FindAllStringSubmatch(string(text), -1)
	if len(refs) < 50 {
		t.Fatalf("only %d references", len(refs))
	}
	for _, ref := range refs {
		var at any = root
		for step := range strings.SplitSeq(ref[1], "/") {
			at = at.(map[string]any)[step]
		}
		if at == nil {
			t.Errorf("there is no %s", ref[1])
		}
	}
	for name, s := range OpenAPI().Components.Schemas {
		if s.Type == "" || s.Type == "object" && len(s.Properties) == 0 {
			t.Errorf("schema %s is %+v", name, s)
		}
	}
}

// TestWords compares the words of the document with what the program knows of them elsewhere.
func TestWords(t *testing.T) {
	words := vocabulary().Words
	texts := func(list any) (out []string) {
		v := reflect.ValueOf(list)
		for i := range v.Len() {
			out = append(out, v.Index(i).String())
		}
		return out
	}
	for name, list := range map[string]any{
		"rein.UserRole": rein.UserRoles(), "rein.Scope": rein.Scopes(), "rein.AskState": states, "rein.Status": statuses[2:],
	} {
		want, got := texts(list), slices.Clone(words[name])
		slices.Sort(want)
		slices.Sort(got)
		if len(got) > 0 && !slices.Equal(got, want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for name, some := range map[string]string{
		"rein.CommandKind": string(rein.CommandModify), "rein.AskKind": string(rein.AskUnknown), "rein.End": string(rein.EndLimit),
		"rein.Kind": string(rein.CommandStop.EventKind()), "rein.Code": string(rein.CodeDiskFull), "rein.Status": string(rein.StatusBlocked),
	} {
		if !slices.Contains(words[name], some) {
			t.Errorf("%s has no %q: %v", name, some, words[name])
		}
	}
	for _, word := range words["rein.Code"] {
		told := slices.ContainsFunc(troubles, func(t trouble) bool { return t.status == api.Status(rein.Code(word)) })
		if !told {
			t.Errorf("code %s is told with %d, which no operation has", word, api.Status(rein.Code(word)))
		}
	}
}

// TestPayloads compares the types of payloads with what the comments of the kinds say.
func TestPayloads(t *testing.T) {
	v, all := openapi.NewVocabulary(), payloads()
	for _, kind := range v.Words["rein.Kind"] {
		_, want, _ := strings.Cut(v.Comments[openapi.WordKey("rein.Kind", kind)], "Data: ")
		if got := all[kind]; got == nil && want != "" || got != nil && got.Name() != want {
			t.Errorf("the data of %s is a %v, want %q", kind, got, want)
		}
	}
}

// TestNames fails if two types want one name: which of them gets it must be said in newSchemas.
func TestNames(t *testing.T) {
	schemas, given := newSchemas(), OpenAPI().Components.Schemas
	for _, shown := range ShownTypes() {
		name := shown.Name()
		if other, ok := schemas.Names[shown]; ok {
			name = other
		}
		prefix := strings.TrimSuffix(openapi.Key(shown), "."+shown.Name())
		if prefixed := strings.ToUpper(prefix[:1]) + prefix[1:] + name; given[prefixed] != nil {
			t.Errorf("%s is called %s", openapi.Key(shown), prefixed)
		}
	}
}

// TestOwnJSON fails for a type that writes its own JSON and that the document does not know how.
func TestOwnJSON(t *testing.T) {
	schemas, known := newSchemas(), []string{"time.Time", "json.RawMessage"}
	for _, shown := range ShownTypes() {
		own := shown.Implements(reflect.TypeFor[json.Marshaler]())
		if own && schemas.Extra[shown] == nil && !slices.Contains(known, openapi.Key(shown)) {
			t.Errorf("%s has a MarshalJSON: say in newSchemas what it writes", openapi.Key(shown))
		}
	}
}

// TestDocs asks for the document and its page, as anyone can.
func TestDocs(t *testing.T) {
	h := New(Options{})
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != 200 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		return w
	}
	var d struct{ OpenAPI string }
	if err := json.Unmarshal(get("/openapi.json").Body.Bytes(), &d); err != nil || d.OpenAPI != openapi.Version {
		t.Errorf("the document is of version %q, %v", d.OpenAPI, err)
	}
	page := get("/docs")
	policy := page.Header().Get("Content-Security-Policy")
	_, style, _ := strings.Cut(page.Body.String(), "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	sum := sha256.Sum256([]byte(style))
	if !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"';") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
	for _, o := range (&server{}).operations() {
		if !strings.Contains(page.Body.String(), `<section id="`+o.name+`"`) {
			t.Errorf("the page has no %s", o.name)
		}
	}
}
