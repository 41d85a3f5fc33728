package openai

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

// sentFor returns what is sent for messages.
func sentFor(t *testing.T, o Options, messages []rein.Message, load func(context.Context, rein.Hash) ([]byte, error)) (body struct{ Messages, Input []any }) {
	t.Helper()
	m := serve(t, o, func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&body)
		_, _ = io.WriteString(w, map[string]string{Chat: chatOK, Responses: responseOK}[o.API])
	})
	if _, err := m.Generate(t.Context(), rein.ModelRequest{Prompt: rein.Prompt{Messages: messages}, Load: load}, nil); err != nil {
		t.Fatal(err)
	}
	return body
}

// recordedResults calls each with the results with images of recorded requests that their server took: what was sent,
// as it was, and the images in it. Without the recordings it reads requests of our own.
func recordedResults(t *testing.T, each func(api string, sent []any, text string, images []rein.Image)) {
	t.Helper()
	files, count, least := []string{"testdata/images.jsonl"}, 0, 2
	if dir := trafficDir(t); dir != "" {
		var err error
		if files, err = filepath.Glob(filepath.Join(dir, "*.jsonl")); err != nil {
			t.Fatal(err)
		}
		least = 10
	}
	for _, name := range files {
		for line := range lines(t, name) {
			e := new(exchange)
			var request struct{ Messages, Input []any }
			if json.Unmarshal(line, e) != nil || e.Status != 200 || json.Unmarshal(e.Request, &request) != nil {
				continue
			}
			for i, item := range request.Messages {
				if i == 0 || !is(request.Messages[i-1], "role", "tool") || !is(item, "role", "user") {
					continue
				}
				if text, images, ok := partsOf(t, field(item, "content"), "image_url", "text"); ok {
					count++
					each(Chat, request.Messages[i-1:i+1], text, images)
				}
			}
			for _, item := range request.Input {
				if text, images, ok := partsOf(t, field(item, "output"), "input_image", "input_text"); ok && is(item, "type", "function_call_output") {
					count++
					each(Responses, []any{item}, text, images)
				}
			}
		}
	}
	if count < least {
		t.Errorf("%d recorded results have images, want at least %d", count, least)
	}
}

func field(object any, name string) any {
	fields, _ := object.(map[string]any)
	return fields[name]
}

func is(object any, name, value string) bool { return field(object, name) == value }

// partsOf reads the parts of a message; it is not ok if there are others than texts and images that can be read.
func partsOf(t *testing.T, content any, image, text string) (said string, images []rein.Image, ok bool) {
	t.Helper()
	parts, _ := content.([]any)
	for _, part := range parts {
		url, _ := field(part, "image_url").(string)
		if nested, ok := field(field(part, "image_url"), "url").(string); ok {
			url = nested
		}
		switch {
		case is(part, "type", text):
			said, _ = field(part, "text").(string)
		case !is(part, "type", image) || url == "":
			return "", nil, false
		case strings.HasPrefix(url, "data:"):
			kind, data, _ := strings.Cut(strings.TrimPrefix(url, "data:"), ";base64,")
			decoded, err := base64.StdEncoding.DecodeString(data)
			if err != nil {
				t.Fatal(err)
			}
			images = append(images, rein.Image{Type: kind, Data: decoded})
		default:
			images = append(images, rein.Image{URL: url})
		}
	}
	return said, images, len(images) > 0
}

// Images of results are sent as in recorded requests that OpenAI and Groq took.
func TestResultImagesAsRecorded(t *testing.T) {
	recordedResults(t, func(api string, sent []any, text string, images []rein.Image) {
		id, result := "", ""
		if api == Chat {
			id, result = field(sent[0], "tool_call_id").(string), field(sent[0], "content").(string)
		} else {
			id, result = field(sent[0], "call_id").(string), text
		}
		body := sentFor(t, Options{API: api}, []rein.Message{
			{Role: rein.User, Text: "Go."},
			{Role: rein.Assistant, Calls: []rein.ToolCall{{ID: id, Name: "f", Args: json.RawMessage(`{}`)}}},
			{Role: rein.ToolRole, CallID: id, Status: rein.ToolOK, Text: result, Images: images},
		}, nil)
		got := append(body.Messages, body.Input...)
		got = got[len(got)-len(sent):]
		if diff := cmp.Diff(plainParts(sent), plainParts(got)); diff != "" {
			t.Errorf("%s: %.1500s", api, diff)
		}
	})
}

// plainParts drops what is a matter of taste: the words beside an image, and how closely it is looked at.
func plainParts(items []any) []any {
	var out []any
	for _, item := range items {
		fields := map[string]any{}
		for name, value := range item.(map[string]any) {
			parts, isList := value.([]any)
			if !isList {
				fields[name] = value
				continue
			}
			var kept []any
			for _, part := range parts {
				if plain := part.(map[string]any); plain["type"] != "text" {
					delete(plain, "detail")
					kept = append(kept, plain)
				}
			}
			fields[name] = kept
		}
		out = append(out, fields)
	}
	return out
}

// In a chat the images of a turn follow all of its results, also in a talk that goes on; a server that takes only texts
// as results gets them so in Responses too.
func TestResultImagesFollowTheirTurn(t *testing.T) {
	calls := []rein.ToolCall{{ID: "a", Name: "f"}, {ID: "b", Name: "f"}}
	messages := []rein.Message{
		{Role: rein.User, Text: "Go."},
		{Role: rein.Assistant, Calls: calls},
		{Role: rein.ToolRole, CallID: "a", Text: "one", Images: []rein.Image{{URL: "https://x/1.png"}}},
		{Role: rein.ToolRole, CallID: "b", Text: "two", Images: []rein.Image{{URL: "https://x/2.png"}}},
		{Role: rein.Assistant, Text: "And?"},
		{Role: rein.User, Text: "So."},
	}
	for _, o := range []Options{{API: Chat}, {API: Responses, Quirks: Quirks{PlainResults: true}}} {
		body := sentFor(t, o, messages, nil)
		all, order := append(body.Messages, body.Input...), ""
		for _, item := range all {
			switch {
			case is(item, "role", "tool"), is(item, "type", "function_call_output"):
				order += "r"
			case is(item, "role", "user"):
				_, images, _ := partsOf(t, field(item, "content"), map[string]string{Chat: "image_url", Responses: "input_image"}[o.API], map[string]string{Chat: "text", Responses: "input_text"}[o.API])
				order += "u" + strings.Repeat("i", len(images))
			case is(item, "role", "assistant"), is(item, "type", "function_call"):
				order += "a"
			}
		}
		if want := map[string]string{Chat: "uarruiiau", Responses: "uaarruiiau"}[o.API]; order != want {
			t.Errorf("%s: %s, want %s", o.API, order, want)
		}
	}
}

// What a message only names is loaded when it is sent. What is gone is described, and a store that fails is an error.
func TestNamedImagesAreLoaded(t *testing.T) {
	there, gone, broken := rein.Hash{1}, rein.Hash{2}, rein.Hash{3}
	load := func(_ context.Context, hash rein.Hash) ([]byte, error) {
		switch hash {
		case there:
			return []byte("png"), nil
		case gone:
			return nil, rein.Errorf(rein.CodeNotFound, "gone")
		}
		return nil, rein.Errorf(rein.CodeDamaged, "broken")
	}
	messages := []rein.Message{{Role: rein.User, Text: "Look.", Images: []rein.Image{{Type: "image/png", SHA256: there}, {Type: "image/gif", SHA256: gone, Name: "b.gif"}}}}
	for _, api := range []string{Chat, Responses} {
		body := sentFor(t, Options{API: api}, messages, load)
		raw, _ := json.Marshal(body)
		if text := string(raw); !strings.Contains(text, "data:image/png;base64,cG5n") || !strings.Contains(text, "[image image/gif, file b.gif]") || len(messages[0].Images[0].Data) > 0 {
			t.Error(text)
		}
		m := serve(t, Options{API: api}, func(http.ResponseWriter, *http.Request) { t.Error("it was sent") })
		_, err := m.Generate(t.Context(), rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{{Role: rein.User, Images: []rein.Image{{SHA256: broken}}}}}, Load: load}, nil)
		if rein.CodeOf(err) != rein.CodeDamaged {
			t.Errorf("%s: %v", api, err)
		}
	}
}
