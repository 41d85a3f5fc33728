package openapi_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein/server/openapi"
)

type colour string

type part struct {
	Size  int    `json:"size"`
	Shade colour `json:"shade,omitempty"`
}

type label [2]byte

func (label) MarshalText() ([]byte, error) { return []byte("ab"), nil }

type call struct {
	Name string `json:"name"`
}

func (call) MarshalJSON() ([]byte, error) { return []byte(`{"name":"x","raw":"y"}`), nil }

type whole struct {
	part
	Name    string            `json:"name"`
	At      time.Time         `json:"at,omitzero"`
	Wait    time.Duration     `json:"wait,omitempty"`
	Any     json.RawMessage   `json:"any,omitempty"`
	Image   []byte            `json:"image,omitempty"`
	Label   label             `json:"label"`
	Must    *part             `json:"must"`
	May     *part             `json:"may,omitempty"`
	Below   []whole           `json:"below,omitempty"`
	Texts   map[string]string `json:"texts,omitempty"`
	Share   float64           `json:"share"`
	Call    call              `json:"call"`
	Secret  string            `json:"-"`
	NoName  bool
	private int
}

func (w whole) use() int { return w.private }

// TestSchemas writes the schemas of types with everything that our own have.
func TestSchemas(t *testing.T) {
	_ = whole{}.use()
	s := openapi.Schemas{
		Vocabulary: openapi.Vocabulary{
			Comments: map[string]string{"openapi_test.part.Size": "how large", "openapi_test.whole": "A whole.", "openapi_test.whole.Wait": "how long"},
			Words:    map[string][]string{"openapi_test.colour": {"red", "blue"}},
		},
		Names:    map[reflect.Type]string{reflect.TypeFor[part](): "Part"},
		Optional: map[reflect.Type][]string{reflect.TypeFor[whole](): {"share"}},
		Extra:    map[reflect.Type][]string{reflect.TypeFor[call](): {"raw"}},
	}
	got := map[string]any{"": s.Of(reflect.TypeFor[[]whole]())}
	for name, schema := range s.All() {
		got[name] = schema
	}
	want := `{
	"": {"type": "array", "items": {"$ref": "#/components/schemas/whole"}},
	"Part": {"type": "object", "required": ["size"], "properties": {"size": {"type": "integer", "description": "how large"}, "shade": {"$ref": "#/components/schemas/colour"}}},
	"call": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "raw": {"type": "string"}}},
	"colour": {"type": "string", "enum": ["red", "blue"]},
	"whole": {"type": "object", "description": "A whole.", "required": ["size", "name", "label", "must", "call", "NoName"], "properties": {
		"size": {"type": "integer", "description": "how large"}, "shade": {"$ref": "#/components/schemas/colour"},
		"name": {"type": "string"}, "at": {"type": "string", "format": "date-time"}, "wait": {"type": "integer", "description": "how long (nanoseconds)"},
		"any": {"description": "any JSON"}, "image": {"type": "string", "contentEncoding": "base64"}, "label": {"type": "string"},
		"must": {"anyOf": [{"$ref": "#/components/schemas/Part"}, {"type": "null"}]}, "may": {"$ref": "#/components/schemas/Part"},
		"below": {"type": "array", "items": {"$ref": "#/components/schemas/whole"}}, "texts": {"type": "object", "additionalProperties": {"type": "string"}},
		"share": {"type": "number"}, "call": {"$ref": "#/components/schemas/call"}, "NoName": {"type": "boolean"}}}}`
	if diff := cmp.Diff(plain(t, []byte(want)), plain(t, text(t, got))); diff != "" {
		t.Error(diff)
	}
}

func text(t *testing.T, value any) []byte {
	t.Helper()
	out, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func plain(t *testing.T, text []byte) (value any) {
	t.Helper()
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// TestSameName keeps two types of one name apart.
func TestSameName(t *testing.T) {
	s := openapi.Schemas{Names: map[reflect.Type]string{reflect.TypeFor[part](): "Thing", reflect.TypeFor[call](): "Thing"}, Extra: map[reflect.Type][]string{reflect.TypeFor[call](): {}}}
	a, b := s.Of(reflect.TypeFor[part]()), s.Of(reflect.TypeFor[call]())
	if a.Ref == b.Ref || s.Of(reflect.TypeFor[part]()).Ref != a.Ref || len(s.All()) != 2 {
		t.Errorf("both are %s and %s", a.Ref, b.Ref)
	}
}

// TestPageEscapes shows a document whose texts want to be markup.
func TestPageEscapes(t *testing.T) {
	d := openapi.Document{
		Info: openapi.Info{Title: "<script>alert(1)</script>", Description: "a `<b>` c"}, Tags: []openapi.Tag{{Name: "t"}},
		Paths: map[string]map[string]openapi.Operation{"/x": {"get": {ID: "x", Tags: []string{"t"}, Summary: "<i>|</i>", Responses: map[string]openapi.Response{}}}},
	}
	page, err := openapi.NewPage(d)
	if err != nil {
		t.Fatal(err)
	}
	html := string(page.HTML)
	for _, bad := range []string{"<script", "<i>", "<b>\u0060", "ZgotmplZ"} {
		if strings.Contains(html, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if !strings.Contains(html, "<code>&lt;b&gt;</code>") || !strings.Contains(html, `<section id="x"`) {
		t.Errorf("the page is %s", html)
	}
	if md := string(d.Markdown()); !strings.Contains(md, `[`+"`GET /x`"+`](#get-x) | <i>\|</i> |`) {
		t.Errorf("the Markdown is %s", md)
	}
}

// TestVocabulary reads the file that is built in.
func TestVocabulary(t *testing.T) {
	v := openapi.NewVocabulary()
	if len(v.Comments) < 50 || len(v.Words) < 5 || v.Comments["rein.RunInfo.Title"] == "" {
		t.Errorf("there are %d comments and %d types with words", len(v.Comments), len(v.Words))
	}
}
