package anthropic_test

import (
	"encoding/base64"
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/model/anthropic"
)

// Images of results are sent as in recorded requests that Anthropic took; without the recordings, as in one of our own.
func TestResultImagesAsRecorded(t *testing.T) {
	files, least := []string{"testdata/images.jsonl"}, 1
	if dir := dataDir(t); dir != "" {
		var err error
		if files, err = filepath.Glob(filepath.Join(dir, "*.jsonl")); err != nil {
			t.Fatal(err)
		}
		least = 5
	}
	p := newPlayer(t)
	n := 0
	for _, name := range files {
		lines(t, name, func(line []byte) error {
			var e struct {
				Status  int
				Request struct {
					Messages []struct{ Content json.RawMessage }
				}
			}
			_ = json.Unmarshal(line, &e)
			for _, m := range e.Request.Messages {
				var blocks []map[string]any
				if e.Status != 200 || json.Unmarshal(m.Content, &blocks) != nil {
					continue
				}
				for _, block := range blocks {
					if result, ok := resultOf(t, block); ok {
						n++
						checkResult(t, p, block, result)
					}
				}
			}
			return nil
		})
	}
	if n < least {
		t.Errorf("only %d recorded results have images", n)
	}
}

// resultOf reads a recorded result that has images.
func resultOf(t *testing.T, block map[string]any) (m rein.Message, ok bool) {
	t.Helper()
	id, _ := block["tool_use_id"].(string)
	m = rein.Message{Role: rein.ToolRole, CallID: id, Status: rein.ToolOK}
	parts, _ := block["content"].([]any)
	for _, part := range parts {
		fields := part.(map[string]any)
		source, _ := fields["source"].(map[string]any)
		text, isText := fields["text"].(string)
		data, isData := source["data"].(string)
		switch {
		case isText:
			m.Text = text
		case !isData || fields["type"] != "image":
			return m, false
		default:
			decoded, err := base64.StdEncoding.DecodeString(data)
			if err != nil {
				t.Fatal(err)
			}
			m.Images = append(m.Images, rein.Image{Type: source["media_type"].(string), Data: decoded})
		}
	}
	return m, len(m.Images) > 0 && block["type"] == "tool_result"
}

func checkResult(t *testing.T, p *player, recorded map[string]any, result rein.Message) {
	t.Helper()
	var sent struct {
		Messages []struct{ Content []map[string]any }
	}
	body := request(t, p, anthropic.Options{NoCache: true}, rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{
		{Role: rein.User, Text: "Go."}, {Role: rein.Assistant, Calls: []rein.ToolCall{{ID: result.CallID, Name: "f", Args: json.RawMessage(`{}`)}}}, result,
	}}})
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	delete(recorded, "is_error") // false, as if it were not there
	delete(recorded, "cache_control")
	last := sent.Messages[len(sent.Messages)-1].Content
	if diff := cmp.Diff(recorded, last[0]); diff != "" || len(last) != 1 {
		t.Errorf("%.1500s", diff)
	}
}

// The API takes no images in the result of a failed call: they are described.
func TestFailedResultHasNoImages(t *testing.T) {
	p := newPlayer(t)
	body := request(t, p, anthropic.Options{NoCache: true}, rein.ModelRequest{Prompt: rein.Prompt{Messages: []rein.Message{
		{Role: rein.User, Text: "Go."},
		{Role: rein.Assistant, Calls: []rein.ToolCall{{ID: "c", Name: "f", Args: json.RawMessage(`{}`)}}},
		{Role: rein.ToolRole, CallID: "c", Status: rein.ToolFailed, Text: "no", Images: []rein.Image{{Type: "image/png", Data: []byte("png")}}},
	}}})
	var sent struct {
		Messages []struct{ Content []any }
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	want := []any{map[string]any{"type": "tool_result", "tool_use_id": "c", "is_error": true, "content": []any{map[string]any{"type": "text", "text": "no\n[image image/png, 3 bytes]"}}}}
	if diff := cmp.Diff(want, sent.Messages[2].Content); diff != "" {
		t.Error(diff)
	}
}
